/// Displacement: a transformation with which a fit moves a number within its range.
/// Source: docs/calibrate.md, how it is fitted.
#pragma once

#include <cmath>

namespace dfsweep::calibration {

/// The number displaced by x: value e^x without an upper bound; otherwise its log-odds below `highest` move by x / (1 -
/// value / highest). In both cases a small x changes the logarithm of the number by x. Numbers at an end of the range,
/// 0 or `highest`, do not move: they mean never or always.
[[nodiscard]] inline double displaced(double value, double highest, double x) {
  if (!(value > 0.0)) return value;
  if (!std::isfinite(highest)) return value * std::exp(x);
  if (!(value < highest)) return value;
  const double share = value / highest;
  const double odds = share / (1.0 - share) * std::exp(x / (1.0 - share));
  return std::isfinite(odds) ? highest * odds / (1.0 + odds) : highest;
}

/// The x with displaced(value, highest, x) = `target`; not finite where it does not exist. Pre: `value` and `target`
/// are above 0.
[[nodiscard]] inline double displacement_to(double value, double highest, double target) {
  if (!std::isfinite(highest)) return std::log(target / value);
  const double share = value / highest, wanted = target / highest;
  return (1.0 - share) * std::log(wanted / (1.0 - wanted) * (1.0 - share) / share);
}

}  // namespace dfsweep::calibration
