/// Sampling: rounds of growing size, the last of which counts, so that what is filled on first use counts once.
#include "engine/cost_sample.hpp"

#include <algorithm>
#include <chrono>

#include "engine/preparation.hpp"
#include "engine/range_evaluation.hpp"

namespace dfsweep {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// By which factor a point is dearer that has to prepare what others find ready.
constexpr double first_use = 1000.0;

/// `count` kept points at equal distances, the middle ones of as many parts.
PointBuffer spread_points(const RowSource& rows, std::uint64_t count) {
  PointBuffer points;
  PointBuffer one;
  const std::uint64_t distance = rows.kept() / count;
  for (std::uint64_t i = 0; i < count; ++i) {
    rows.decode(i * distance + distance / 2, 1, one);
    points.codes.resize(one.codes.size());
    for (std::size_t c = 0; c < one.codes.size(); ++c) points.codes[c].push_back(one.codes[c].front());
    points.points.push_back(one.points.front());
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
  EstimateBuffer estimates;
  for (std::uint64_t count = 1;; count = std::min({count * growth, most, rows.kept()})) {
    const PointBuffer points = spread_points(rows, count);
    sample.tally = {};
    const auto begin = std::chrono::steady_clock::now();
    evaluate_range(*spec.estimator, *prepared, points, estimates, sample.tally);
    const double seconds = seconds_since(begin);
    sample.seconds_per_point = seconds / static_cast<double>(count);
    const bool next_takes_long = seconds * static_cast<double>(growth) > enough_seconds;
    if (!next_takes_long && count < rows.kept() && count < most) continue;
    // Points that are far dearer than the estimator says were the first to need something that many share.
    if (sample.seconds_per_point < first_use * spec.estimator->seconds_per_point(spec.values)) return sample;
    const auto again = std::chrono::steady_clock::now();
    Tally counted_before;
    evaluate_range(*spec.estimator, *prepared, points, estimates, counted_before);
    const double seconds_again = seconds_since(again);
    if (seconds < first_use * seconds_again) return sample;
    sample.seconds_per_point = seconds_again / static_cast<double>(count);
    sample.preparation_seconds += seconds;
    return sample;
  }
}

}  // namespace dfsweep
