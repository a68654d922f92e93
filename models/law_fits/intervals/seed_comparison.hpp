/// A law with intervals beside the noise between seeds: how much of its errors other seeds explain.
#pragma once

#include <array>

#include "models/law_fits/intervals/scattered_law.hpp"
#include "models/law_fits/runs/seed_noise.hpp"

namespace dfsweep::law_fits {

struct SeedComparison {
  double residual_sd = 0.0;       ///< of ln L about the surface of the law
  double residual_degrees = 0.0;  ///< runs - 3 groups - terms of the shape
  double seed_sd = 0.0;           ///< that seeds alone give the same losses, medians of their repeats
  double seed_degrees = 0.0;
  double variance_ratio = 0.0;  ///< residual over seeds: of lack of fit
  double p_value = 0.0;         ///< probability of this ratio or a greater one where seeds are all there is
  /// [target] Root mean square, over the located groups, of what seeds add to the error of a group's optimum in ln lr
  /// and ln B; to be compared with the law's `between_sd`.
  std::array<double, 2> optimum_sd{};
};

/// `used_variance`: of mean_median_variance over the groups and the window of the law. Pre: the law has no defect,
/// noise.degrees > 0 and noise.sd > 0. Source: docs/models/hyperparameters-uncertainty.md, seeds.
[[nodiscard]] SeedComparison compare_with_seeds(const ScatteredLaw& law, const SeedNoise& noise, double used_variance);

}  // namespace dfsweep::law_fits
