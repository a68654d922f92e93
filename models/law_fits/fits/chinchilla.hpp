/// The loss law L(N, D) = E + A N^-alpha + B D^-beta, with bounds on its constants.
#pragma once

#include <span>
#include <vector>

#include "models/law_fits/surfaces/surface.hpp"
#include "models/laws/loss_law.hpp"

namespace dfsweep::law_fits {

/// Sum over the points of the Huber loss of ln L(law) - ln L: r^2 / 2 up to |r| = 1e-3, then 1e-3 (|r| - 1e-3 / 2).
[[nodiscard]] double loss_law_objective(const LossLaw& law, std::span<const LossPoint> points);

struct LossLawFit {
  FitDefect defect = FitDefect::none;  ///< too_few_groups below 6 points: everything else is NaN
  LossLaw law;
  double objective = 0.0;
  double max_residual = 0.0;  ///< maximum of |law / observed - 1|
  double rms_residual = 0.0;
  /// Profile interval of E: with E fixed and the rest fitted, the objective stays below (1 + 3.84 / (points - 5)) times
  /// its minimum, the 95 % bound for a sum of squares.
  double irreducible_low = 0.0;
  double irreducible_high = 0.0;
  /// Whether this interval is narrower than a fifth of the least loss. Otherwise many values of E, A and alpha fit
  /// equally well: predictions within the range of the points are usable, the constants are not.
  bool identifiable = false;
};

/// Minimises the objective over E >= 0 from a grid of starts.
[[nodiscard]] LossLawFit fit_loss_law(std::span<const LossPoint> points);

/// The least loss of each group at its own scale.
[[nodiscard]] std::vector<LossPoint> least_losses(const SelectedRuns& runs, std::span<const std::size_t> groups);
/// The minimum of the surface of each group; groups whose surface has a defect are left out.
[[nodiscard]] std::vector<LossPoint> fitted_losses(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                                   std::span<const QuadraticSurface> surfaces);

}  // namespace dfsweep::law_fits
