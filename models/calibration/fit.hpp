/// The fit of a calibration: maximum a posteriori values of the unknowns and of the factors of groups.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/calibration/problem.hpp"

namespace dfsweep::calibration {

inline constexpr std::size_t no_unknown = std::numeric_limits<std::size_t>::max();

struct FitOptions {
  int steps = 25;       ///< maximum steps per start
  int starts = 1;       ///< number of starts: number 0 at `start`, the others drawn from the prior
  int first_start = 0;  ///< number of the first of them: starts may be computed one by one
  std::uint64_t seed = 42;
  std::span<const double> start = {};         ///< unknowns, then factors of groups; empty: all 0
  std::span<const std::uint8_t> fitted = {};  ///< [unknown] 0: fixed at 0; empty: all are fitted
  std::size_t held = no_unknown;              ///< index of an unknown that is fixed at its start
  /// [row * quantities + quantity] Constant slopes as from quantity_slopes, with which a step costs one prediction per
  /// row. Near a known optimum they are accurate enough. Empty: recomputed at each step.
  std::span<const double> slopes = {};
};

struct Fit {
  std::vector<double> values;      ///< [unknown]
  std::vector<double> factors;     ///< [group] additive on the logarithm
  std::vector<double> log_errors;  ///< [row] ln(predicted / measured), without factors; also for rows of weight 0
  double objective = 0.0;
  bool converged = false;
};

/// Minimises, over the unknowns x and the factors f of groups,
///
///     2 sum_i w_i (sqrt(1 + (r_i / c)^2) - 1) + sum_k (x_k / spread_k)^2 + sum_g (f_g / group_spread)^2
///
/// with r_i = ln(predicted / measured)_i + f_g(i), c the loss scale and k the fitted unknowns, by Levenberg-Marquardt
/// steps on the residuals whose squares are these terms. Of several starts the least objective wins, the earlier on a
/// tie. A row without a finite prediction has the error error_without_prediction, independent of its factor. Source:
/// [more1978] `weights`: [row], 0: ignored; empty: all 1. Deterministic to the last bit on any thread. Pre: weights and
/// observed are finite, sizes agree.
[[nodiscard]] Fit fit(const CalibrationProblem& problem, std::span<const double> weights,
                      const FitOptions& options = {});

/// FitOptions::start for a fit near this one.
[[nodiscard]] std::vector<double> start_from(const Fit& fit);

}  // namespace dfsweep::calibration
