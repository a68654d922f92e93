/// Sampling: rounds of growing size, the last of which counts, so that what is filled on first use counts once.
#include "engine/evaluation/cost_sample.hpp"

#include <algorithm>
#include <chrono>

#include "engine/evaluation/range_evaluation.hpp"
#include "engine/sweep/preparation.hpp"

namespace dfsweep {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// By which factor a point is dearer that has to prepare what others find ready.
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

}  // namespace

CostSample sample_cost(const SweepSpec& spec, const RowSource& rows, double enough_seconds) {
  CostSample sample;
  const auto start = std::chrono::steady_clock::now();
  const std::unique_ptr<PreparedSweep> prepared = prepare(spec);
  sample.preparation_seconds = seconds_since(start);
  sample.warnings = warnings_text(spec, *prepared);
  constexpr std::uint64_t growth = 8;
  constexpr std::uint64_t most = 32'768;
  const double said = spec.estimator->seconds_per_point(spec.values);
  EstimateBuffer estimates;
  for (std::uint64_t count = 1;; count = std::min({count * growth, most, rows.kept()})) {
    const PointBuffer points = spread_points(rows, count);
    const auto seconds_of = [&](Tally& tally) {
      const auto begin = std::chrono::steady_clock::now();
      evaluate_range(*spec.estimator, *prepared, points, estimates, tally);
      return seconds_since(begin);
    };
    sample.tally = {};
    double seconds = seconds_of(sample.tally);
    // Points that are far dearer than the estimator says may be the first to need something that many share.
    if (seconds > first_use * said * static_cast<double>(count)) {
      Tally counted_before;
      const double seconds_again = seconds_of(counted_before);
      if (seconds > first_use * seconds_again) {
        sample.preparation_seconds += seconds;
        seconds = seconds_again;
      }
    }
    sample.seconds_per_point = seconds / static_cast<double>(count);
    const bool next_takes_long = seconds * static_cast<double>(growth) > enough_seconds;
    if (next_takes_long || count >= rows.kept() || count >= most) return sample;
  }
}

}  // namespace dfsweep
