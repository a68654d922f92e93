/// Sampling: rounds of growing size, the last of which counts, so that what is filled on first use counts once.
#include "engine/evaluation/cost_sample.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/evaluation/range_evaluation.hpp"
#include "engine/sweep/preparation.hpp"

namespace dfsweep {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// By which factor a point is more expensive that has to prepare what others find ready.
constexpr double first_use = 1000.0;

/// Points that follow each other: estimators share work between neighbours, and blocks consist of them.
constexpr std::uint64_t longest_run = 64;

/// `count` kept points, all of them or a power of 8: in runs at equal distances, each in the middle of its part.
PointBuffer spread_points(const RowSource& rows, std::uint64_t count) {
  const std::uint64_t run = count == rows.kept() ? count : std::clamp<std::uint64_t>(count / 8, 1, longest_run);
  const std::uint64_t parts = count / run;
  const std::uint64_t distance = rows.kept() / parts;
  PointBuffer points;
  PointBuffer one;
  for (std::uint64_t i = 0; i < parts; ++i) {
    rows.decode(i * distance + (distance - run) / 2, run, one);
    points.codes.resize(one.codes.size());
    for (std::size_t c = 0; c < one.codes.size(); ++c)
      points.codes[c].insert(points.codes[c].end(), one.codes[c].begin(), one.codes[c].end());
    points.points.insert(points.points.end(), one.points.begin(), one.points.end());
  }
  points.columns.assign(points.codes.begin(), points.codes.end());
  return points;
}

/// Of every status that is not ok the point with the least shortfall, or the first.
std::vector<SampledMiss> misses_of(const Estimator& estimator, const PointBuffer& points,
                                   const EstimateBuffer& estimates, std::vector<std::size_t>& places) {
  const std::optional<MetricIndex> shortfall = estimator.shortfall();
  std::vector<SampledMiss> misses;
  std::vector<double> least;
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    const std::uint8_t status = estimates.status[i];
    if (status == status_ok) continue;
    const double here = shortfall ? estimates.metrics[*shortfall][i] : std::nan("");
    const auto known =
        std::find_if(misses.begin(), misses.end(), [&](const SampledMiss& m) { return m.status == status; });
    const auto m = static_cast<std::size_t>(known - misses.begin());
    if (known == misses.end()) {
      misses.push_back({.status = status, .points = 0, .point = points.points[i], .is_nearest = false, .reason = {}});
      least.push_back(std::numeric_limits<double>::infinity());
      places.push_back(i);
    }
    ++misses[m].points;
    if (!(here < least[m])) continue;
    least[m] = here;
    misses[m].point = points.points[i];
    misses[m].is_nearest = true;
    places[m] = i;
  }
  return misses;
}

void add_reasons(const PreparedSweep& prepared, const PointBuffer& points, const std::vector<std::size_t>& places,
                 std::vector<SampledMiss>& misses) {
  std::vector<std::span<const std::uint32_t>> columns;
  for (std::size_t m = 0; m < misses.size(); ++m)
    if (misses[m].status != status_failed) misses[m].reason = prepared.reason(points.part(places[m], 1, columns));
}

}  // namespace

CostSample sample_cost(const SweepSpec& spec, const RowSource& rows, double enough_seconds,
                       const std::function<void(const CostSample&)>& seen) {
  CostSample sample;
  const auto start = std::chrono::steady_clock::now();
  const std::unique_ptr<PreparedSweep> prepared = prepare(spec);
  sample.preparation_seconds = seconds_since(start);
  sample.is_prepared = true;
  sample.warnings = warnings_text(spec, *prepared);
  seen(sample);
  constexpr std::uint64_t growth = 8;
  constexpr std::uint64_t most = 32'768;
  const double said = spec.estimator->seconds_per_point(spec.values);
  EstimateBuffer estimates;
  for (std::uint64_t count = 1;; count = std::min({count * growth, most, rows.kept()})) {
    const PointBuffer points = spread_points(rows, count);
    const auto seconds_of = [&](Tally& tally) {
      const auto begin = std::chrono::steady_clock::now();
      evaluate_range(*spec.estimator, *prepared, points, estimates, tally);
      sample.evaluated += count;
      return seconds_since(begin);
    };
    Tally tally;
    double seconds = seconds_of(tally);
    // Points that are far more expensive than the estimator says may be the first to need something that many share.
    if (seconds > first_use * said * static_cast<double>(count)) {
      Tally counted_before;
      const double seconds_again = seconds_of(counted_before);
      if (seconds > first_use * seconds_again) {
        sample.preparation_seconds += seconds;
        seconds = seconds_again;
      }
    }
    std::vector<std::size_t> places;
    sample.tally = std::move(tally);
    sample.misses = misses_of(*spec.estimator, points, estimates, places);
    sample.seconds_per_point = seconds / static_cast<double>(count);
    seen(sample);
    const bool next_takes_long = seconds * static_cast<double>(growth) > enough_seconds;
    if (!next_takes_long && count < rows.kept() && count < most) continue;
    add_reasons(*prepared, points, places, sample.misses);
    return sample;
  }
}

}  // namespace dfsweep
