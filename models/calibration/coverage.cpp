#include "models/calibration/coverage.hpp"

#include <cmath>

#include "models/calibration/posterior.hpp"
#include "models/calibration/predictions.hpp"
#include "models/expect.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::calibration {

namespace {

struct SimulatedRows {
  CalibrationProblem problem;
  std::vector<double> weights, truth;
};

/// Draws from the random stream of a set, in the order unknowns, groups, rows.
SimulatedRows simulated_rows(const CalibrationProblem& problem, std::uint64_t set, const CoverageOptions& options) {
  const CounterRandom random(options.seed);
  std::uint64_t k = set << 32;
  const auto draw = [&](double spread) { return spread * normal_draw(random, k++); };
  SimulatedRows rows{problem, {}, {}};
  for (const Unknown& unknown : problem.unknowns) rows.truth.push_back(draw(unknown.spread));
  std::vector<double> factors;
  for (std::size_t group = 0; group < problem.group_count; ++group) factors.push_back(draw(problem.group_spread));
  const std::vector<double> predictions = log_predictions(problem, rows.truth);
  for (std::size_t row = 0; row < predictions.size(); ++row) {
    const double factor = factors.empty() ? 0.0 : factors[problem.groups[row]];
    const double observed = predictions[row] + factor + draw(options.noise);
    rows.problem.observed[row] = std::isfinite(observed) ? observed : 0.0;
    rows.weights.push_back(std::isfinite(observed) ? 1.0 : 0.0);
  }
  return rows;
}

}  // namespace

SimulatedSet simulate_set(const CalibrationProblem& problem, std::uint64_t set, const CoverageOptions& options) {
  DFSWEEP_EXPECT(options.noise >= 0.0);
  const SimulatedRows rows = simulated_rows(problem, set, options);
  const std::vector<Identification> identifications =
      identified_unknowns(rows.problem, rows.weights, options.fit, options.profile);
  SimulatedSet result{rows.truth, {}, fitted_of(identifications)};
  FitOptions of_identified = options.fit;
  of_identified.fitted = result.identified;
  const Fit found = fit(rows.problem, rows.weights, of_identified);
  const Posterior after = posterior(rows.problem, found, rows.weights, of_identified);
  for (std::size_t k = 0; k < rows.truth.size(); ++k)
    result.covered.push_back(after.intervals[k].covers(rows.truth[k]) ? 1 : 0);
  return result;
}

Coverage coverage_of(std::span<const SimulatedSet> sets) {
  Coverage coverage;
  coverage.sets = static_cast<double>(sets.size());
  if (sets.empty()) return coverage;
  const std::size_t count = sets[0].truth.size();
  coverage.covered.assign(count, 0.0);
  coverage.identified.assign(count, 0.0);
  double identified = 0.0, identified_and_covered = 0.0, covered = 0.0;
  for (const SimulatedSet& set : sets)
    for (std::size_t k = 0; k < count; ++k) {
      coverage.covered[k] += set.covered[k];
      coverage.identified[k] += set.identified[k];
      covered += set.covered[k];
      identified += set.identified[k];
      identified_and_covered += set.identified[k] * set.covered[k];
    }
  for (std::size_t k = 0; k < count; ++k) {
    coverage.covered[k] /= coverage.sets;
    coverage.identified[k] /= coverage.sets;
  }
  if (count > 0) coverage.covered_in_all = covered / (coverage.sets * static_cast<double>(count));
  if (identified > 0.0) coverage.covered_identified = identified_and_covered / identified;
  return coverage;
}

Coverage simulate_coverage(const CalibrationProblem& problem, std::uint64_t sets, const CoverageOptions& options) {
  std::vector<SimulatedSet> simulated;
  for (std::uint64_t set = 0; set < sets; ++set) simulated.push_back(simulate_set(problem, set, options));
  return coverage_of(simulated);
}

}  // namespace dfsweep::calibration
