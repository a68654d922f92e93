/// Displacement: how a fit moves a number without ever leaving its range.
/// Source: docs/calibrate.md, how it is fitted.
#pragma once

#include <cmath>

namespace dfsweep::calibration {

/// The number displaced by x: value e^x where it may be any positive one; below `highest` with log-odds moved by
/// x / (1 - value / highest), so that a small x changes the logarithm of the number by x in either case. Numbers at an
/// end of their range, 0 or `highest`, stay: they say that something does not happen, or happens always.
[[nodiscard]] inline double displaced(double value, double highest, double x) {
  if (!(value > 0.0)) return value;
  if (!std::isfinite(highest)) return value * std::exp(x);
  if (!(value < highest)) return value;
  const double share = value / highest;
  const double odds = share / (1.0 - share) * std::exp(x / (1.0 - share));
  return std::isfinite(odds) ? highest * odds / (1.0 + odds) : highest;
}

/// The x by which `displaced` makes `target` of the number; not finite where none does. Pre: both are above 0.
[[nodiscard]] inline double displacement_to(double value, double highest, double target) {
  if (!std::isfinite(highest)) return std::log(target / value);
  const double share = value / highest, wanted = target / highest;
  return (1.0 - share) * std::log(wanted / (1.0 - wanted) * (1.0 - share) / share);
}

}  // namespace dfsweep::calibration
