#include "models/calibration/bootstrap.hpp"

#include "models/calibration/predictions.hpp"
#include "models/expect.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::calibration {

namespace {

ErrorSummary summary_of_drawn(std::span<const double> errors, std::span<const double> weights) {
  std::vector<double> drawn;
  for (std::size_t row = 0; row < errors.size(); ++row)
    drawn.insert(drawn.end(), static_cast<std::size_t>(weights[row]), errors[row]);
  return summarize_relative_errors(drawn);
}

/// Interval of one number over all replicates.
template <class Number>
Interval percentile_interval(std::span<const Replicate> replicates, Number number) {
  std::vector<double> values;
  for (const Replicate& of : replicates) values.push_back(number(of));
  return {quantile(values, 0.025), quantile(values, 0.975)};
}

}  // namespace

std::vector<double> resampled_weights(const CalibrationProblem& problem, std::uint64_t index, std::uint64_t seed) {
  const CounterRandom random(seed);
  const std::size_t rows = problem.observed.size();
  const bool by_group = problem.group_count > 1;
  const std::size_t units = by_group ? problem.group_count : rows;
  std::vector<double> drawn(units, 0.0);
  for (std::size_t j = 0; j < units; ++j) drawn[random.index(index, j, units)] += 1.0;
  if (!by_group) return drawn;
  std::vector<double> weights(rows);
  for (std::size_t row = 0; row < rows; ++row) weights[row] = drawn[problem.groups[row]];
  return weights;
}

Replicate replicate(const CalibrationProblem& problem, std::uint64_t index, std::uint64_t seed, const Fit& full,
                    std::span<const double> left_out, const FitOptions& options) {
  DFSWEEP_EXPECT(left_out.empty() || left_out.size() == problem.observed.size());
  const std::vector<double> weights = resampled_weights(problem, index, seed);
  const std::vector<double> start = start_from(full);
  FitOptions warm = options;
  warm.start = start;
  warm.starts = 1;
  return {fit(problem, weights, warm).values, summary_of_drawn(full.log_errors, weights),
          summary_of_drawn(left_out, weights)};
}

BootstrapIntervals intervals_of(std::span<const Replicate> replicates) {
  DFSWEEP_EXPECT(!replicates.empty());
  BootstrapIntervals intervals;
  for (std::size_t k = 0; k < replicates[0].values.size(); ++k)
    intervals.unknowns.push_back(percentile_interval(replicates, [k](const Replicate& of) { return of.values[k]; }));
  intervals.median_in_sample = percentile_interval(replicates, [](const Replicate& of) { return of.in_sample.median; });
  intervals.percentile90_in_sample =
      percentile_interval(replicates, [](const Replicate& of) { return of.in_sample.percentile90; });
  intervals.median_left_out = percentile_interval(replicates, [](const Replicate& of) { return of.left_out.median; });
  intervals.percentile90_left_out =
      percentile_interval(replicates, [](const Replicate& of) { return of.left_out.percentile90; });
  return intervals;
}

BootstrapIntervals bootstrap(const CalibrationProblem& problem, std::uint64_t count, std::uint64_t seed,
                             const Fit& full, std::span<const double> left_out, std::span<const std::uint8_t> fitted) {
  const std::vector<double> slopes = quantity_slopes(problem, full.values, log_predictions(problem, full.values));
  FitOptions options;
  options.steps = 2;
  options.fitted = fitted;
  options.slopes = slopes;
  std::vector<Replicate> replicates;
  for (std::uint64_t index = 0; index < count; ++index)
    replicates.push_back(replicate(problem, index, seed, full, left_out, options));
  return intervals_of(replicates);
}

}  // namespace dfsweep::calibration
