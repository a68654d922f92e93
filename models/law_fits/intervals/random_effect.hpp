/// Random-effect law of optima: least squares with a known variance within each group and an unknown variance between
/// groups.
///
///     z_g = x_g' b + e_g,  var e_g = tau^2 + v_g
///
/// v_g is the variance of the optimum located by the runs of the group; tau is the additional scatter due to recipe,
/// seed and tokenizer. Each target (ln lr, ln B) is a separate regression. Source:
/// docs/models/hyperparameters-uncertainty.md, the law with intervals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/law_fits/surfaces/shared_surface.hpp"

namespace dfsweep::law_fits {

/// [group] Optima of one target.
struct ScatteredOptima {
  FeatureSet features;
  std::vector<TrainingScale> scales;
  std::vector<double> values;     ///< z_g
  std::vector<double> variances;  ///< v_g >= 0
  /// [group][term] d z_g / d coefficient of the shared loss shape, and [term][term] the covariance of these
  /// coefficients. Empty: no common error.
  std::vector<double> shape_responses;
  std::vector<double> shape_covariance;
};

enum class LawTarget : std::uint8_t { learning_rate, batch_tokens };

/// The optima located by a surface, without groups that have a defect. `groups`: the fitted groups of the surface.
[[nodiscard]] ScatteredOptima scattered_optima(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                               const SharedSurface& surface, FeatureSet features, LawTarget target);

struct RandomEffectLaw {
  FitDefect defect = FitDefect::none;  ///< everything below is NaN with a defect
  FeatureSet features;
  PowerLaw law;
  PowerLaw standard_error;          ///< square roots of the diagonal of q A plus the common error of the shape
  double groups = 0.0;              ///< n
  double degrees = 0.0;             ///< n - p
  double between_sd = 0.0;          ///< tau >= 0 by restricted maximum likelihood
  double scale = 0.0;               ///< q
  double heterogeneity = 0.0;       ///< share of the scatter not explained by the runs of the groups (I^2)
  double tau2_information = 0.0;    ///< Fisher information about tau^2, restricted likelihood
  std::vector<double> centre;       ///< [coefficient] means of the features; 0 for the intercept
  std::vector<double> variance;     ///< [coefficient][coefficient] A, for centred features
  std::vector<double> tau2_slope;   ///< A X'W^2X A = dA / d tau^2
  std::vector<double> widening;     ///< inflation of A by kenward_roger
  std::vector<double> shape_error;  ///< variance of the coefficients due to the shared shape
};

/// Source: [hartung-knapp] for q, [kenward-roger] for the widening; restricted likelihood by Fisher scoring.
[[nodiscard]] RandomEffectLaw fit_random_effect(const ScatteredOptima& optima);

}  // namespace dfsweep::law_fits
