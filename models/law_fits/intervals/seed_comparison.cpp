#include "models/law_fits/intervals/seed_comparison.hpp"

#include <cmath>

#include "models/expect.hpp"

namespace dfsweep::law_fits {

SeedComparison compare_with_seeds(const ScatteredLaw& law, const SeedNoise& noise, double used_variance) {
  DFSWEEP_EXPECT(law.defect == FitDefect::none && noise.degrees > 0.0 && noise.sd > 0.0 && used_variance > 0.0);
  const SharedSurface& surface = law.surface;
  SeedComparison out;
  double located = 0.0;
  PlaneCovariance sum;
  for (const LocatedOptimum& group : surface.groups) {
    if (!std::isfinite(group.covariance.xx)) continue;
    located += 1.0;
    sum.xx += group.covariance.xx;
    sum.yy += group.covariance.yy;
  }
  const double seed_variance = noise.sd * noise.sd * used_variance;
  const double residual_variance = surface.residual_sd * surface.residual_sd;
  out.residual_sd = surface.residual_sd;
  out.residual_degrees = surface.n - 3.0 * located - static_cast<double>(shape_terms(surface.shape));
  out.seed_sd = std::sqrt(seed_variance);
  out.seed_degrees = noise.degrees;
  out.variance_ratio = residual_variance / seed_variance;
  out.p_value = variance_ratio_tail(out.variance_ratio, out.residual_degrees, out.seed_degrees);
  // Covariances of optima are proportional to the variance of the losses.
  const double share = residual_variance > 0.0 ? seed_variance / residual_variance : 0.0;
  out.optimum_sd = {std::sqrt(share * sum.xx / located), std::sqrt(share * sum.yy / located)};
  return out;
}

}  // namespace dfsweep::law_fits
