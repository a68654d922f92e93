/// The fit of a calibration: the most probable values of the unknowns and of the factors of groups.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/calibration/problem.hpp"

namespace dfsweep::calibration {

inline constexpr std::size_t no_unknown = std::numeric_limits<std::size_t>::max();

struct FitOptions {
  int steps = 25;  ///< at most, of each start
  int starts = 1;  ///< the first from `start`, the others drawn from the prior
  std::uint64_t seed = 42;
  std::span<const double> start = {};         ///< unknowns, then factors of groups; empty: all 0
  std::span<const std::uint8_t> fitted = {};  ///< [unknown] 0: stays at 0; empty: all are fitted
  std::size_t held = no_unknown;              ///< number of an unknown that stays where it starts
  /// [row * quantities + quantity] as of quantity_slopes, kept at every step: a step then costs one prediction of every
  /// row. Near a known optimum they are as good as new ones. Empty: taken anew at each step.
  std::span<const double> slopes = {};
};

struct Fit {
  std::vector<double> values;      ///< [unknown]
  std::vector<double> factors;     ///< [group] of the logarithm
  std::vector<double> log_errors;  ///< [row] ln(predicted / measured), without factors; also of rows not seen
  double objective = 0.0;
  bool converged = false;
};

/// Minimises, over the unknowns x and the factors f of groups,
///
///     2 sum_i w_i (sqrt(1 + (r_i / c)^2) - 1) + sum_k (x_k / spread_k)^2 + sum_g (f_g / group_spread)^2
///
/// with r_i = ln(predicted / measured)_i + f_g(i), c the loss scale and k the unknowns that move, by
/// Levenberg-Marquardt steps on the numbers whose squares are these terms. Of several starts the least objective wins,
/// the earlier at a tie. A row without a finite prediction counts as error_without_prediction, whatever its factor.
/// Source: [more1978]
/// `weights` [row]: 0: not seen; empty: all 1. The same bits for the same arguments on any thread.
/// Pre: weights and observed are finite, sizes agree.
[[nodiscard]] Fit fit(const CalibrationProblem& problem, std::span<const double> weights,
                      const FitOptions& options = {});

/// `start` of a fit near this one.
[[nodiscard]] std::vector<double> start_from(const Fit& fit);

}  // namespace dfsweep::calibration
