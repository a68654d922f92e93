/// How often intervals hold the truth, on simulated measurements whose truth is known.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/calibration/identification.hpp"

namespace dfsweep::calibration {

struct CoverageOptions {
  double noise = 0.08;  ///< standard deviation of simulated rows about prediction and factor
  std::uint64_t seed = 42;
  FitOptions fit = {};
  Profile profile = Profile::linearised;
};

/// One simulated data set.
struct SimulatedSet {
  std::vector<double> truth;             ///< [unknown]
  std::vector<std::uint8_t> covered;     ///< [unknown] the 95 % interval holds the truth
  std::vector<std::uint8_t> identified;  ///< [unknown]
};

/// The rows of `problem` measured again where unknowns and factors of groups are drawn from their priors and noise is
/// normal; then they go the way of real rows: which unknowns they tell, the fit of those, its intervals. An unknown
/// that stays at its prior has the interval of its prior. Rows without a prediction at the truth are not seen. Set
/// number `set` alone, with the same bits on any thread.
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

/// Sets 0 to `sets` - 1 in turn.
[[nodiscard]] Coverage simulate_coverage(const CalibrationProblem& problem, std::uint64_t sets,
                                         const CoverageOptions& options = {});

}  // namespace dfsweep::calibration
