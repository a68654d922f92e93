/// Coverage of intervals, on simulated measurements with known truth.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/calibration/identification.hpp"

namespace dfsweep::calibration {

struct CoverageOptions {
  double noise = 0.08;  ///< standard deviation of simulated rows around prediction x factor
  std::uint64_t seed = 42;
  FitOptions fit = {};
  Profile profile = Profile::linearised;
};

/// One simulated data set.
struct SimulatedSet {
  std::vector<double> truth;             ///< [unknown]
  std::vector<std::uint8_t> covered;     ///< [unknown] whether the 95 % interval contains the truth
  std::vector<std::uint8_t> identified;  ///< [unknown]
};

/// Simulates the rows of `problem` with unknowns and factors of groups drawn from their priors and normal noise, then
/// treats them as real rows: identification, fit, intervals. An unidentified unknown gets the interval of its prior.
/// Rows without a prediction at the truth are ignored. Set number `set` is computed independently of the others, with
/// the same bits on any thread.
[[nodiscard]] SimulatedSet simulate_set(const CalibrationProblem& problem, std::uint64_t set,
                                        const CoverageOptions& options = {});

struct Coverage {
  double sets = 0.0;
  std::vector<double> covered;      ///< [unknown] share of the sets
  std::vector<double> identified;   ///< [unknown] share of the sets
  double covered_in_all = 0.0;      ///< share of all intervals of all sets
  double covered_identified = 0.0;  ///< share of the intervals of identified unknowns; 0 without one
};
[[nodiscard]] Coverage coverage_of(std::span<const SimulatedSet> sets);

/// Simulates sets 0 to `sets` - 1 in sequence.
[[nodiscard]] Coverage simulate_coverage(const CalibrationProblem& problem, std::uint64_t sets,
                                         const CoverageOptions& options = {});

}  // namespace dfsweep::calibration
