/// A law of optima whose groups scatter about it: least squares with a known variance within each group and an unknown
/// variance between groups.
///
///     z_g = x_g' b + e_g,  var e_g = tau^2 + v_g
///
/// v_g is how well the group's own runs locate its optimum, tau what its recipe, seed and tokenizer add on top. Each
/// target (ln lr, ln B) is such a regression of its own. Source: docs/models/hyperparameters-uncertainty.md, the law
/// with intervals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/law_fits/surfaces/shared_surface.hpp"

namespace dfsweep::hyperparameters {

/// One target's optima, [group] each.
struct ScatteredOptima {
  FeatureSet features;
  std::vector<TrainingScale> scales;
  std::vector<double> values;     ///< z_g
  std::vector<double> variances;  ///< v_g >= 0
  /// d z_g / d coefficient of the loss shape that all groups share, [group][term], and the covariance of those
  /// coefficients, [term][term]. Empty: no such common error.
  std::vector<double> shape_responses;
  std::vector<double> shape_covariance;
};

enum class LawTarget : std::uint8_t { learning_rate, batch_tokens };

/// The optima that a surface has located, leaving out groups with a defect. `groups`: those that the surface was
/// fitted to.
[[nodiscard]] ScatteredOptima scattered_optima(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                               const SharedSurface& surface, FeatureSet features, LawTarget target);

struct RandomEffectLaw {
  FitDefect defect = FitDefect::none;  ///< everything below is NaN unless none
  FeatureSet features;
  PowerLaw law;
  PowerLaw standard_error;          ///< square roots of the diagonal of q A, with the common error of the shape
  double groups = 0.0;              ///< n
  double degrees = 0.0;             ///< n - p
  double between_sd = 0.0;          ///< tau by restricted maximum likelihood, not below 0
  double scale = 0.0;               ///< q
  double heterogeneity = 0.0;       ///< share of the scatter that the groups' own runs do not explain (I^2)
  double tau2_information = 0.0;    ///< Fisher information about tau^2, restricted likelihood
  std::vector<double> centre;       ///< of the features, [coefficient]: 0 for the intercept
  std::vector<double> variance;     ///< A, [coefficient][coefficient], about the centre
  std::vector<double> tau2_slope;   ///< A X'W^2X A = dA / d tau^2
  std::vector<double> widening;     ///< of A by kenward_roger
  std::vector<double> shape_error;  ///< variance of the coefficients from the shape that all groups share
};

/// Source: [hartung-knapp] for q, [kenward-roger] for the widening; restricted likelihood by Fisher scoring.
[[nodiscard]] RandomEffectLaw fit_random_effect(const ScatteredOptima& optima);

}  // namespace dfsweep::hyperparameters
