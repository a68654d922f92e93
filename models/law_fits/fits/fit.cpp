#include "models/law_fits/fits/fit.hpp"

#include <numeric>

#include "models/absent.hpp"
#include "models/law_fits/fits/robust_surface.hpp"
#include "models/law_fits/fits/weighted_optima.hpp"

namespace dfsweep::law_fits {

namespace {

/// A law without standard errors.
LawFit plain_fit(const LawForm& form, const FitMethod& method, const ScalingLaw& law, double n, double residual_sd) {
  LawFit fit = without_law(form, method, FitDefect::none);
  fit.learning_rate.law = law.learning_rate;
  fit.batch_tokens.law = law.batch_tokens;
  fit.learning_rate.n = fit.batch_tokens.n = n;
  fit.learning_rate.residual_sd = fit.batch_tokens.residual_sd = residual_sd;
  return fit;
}

LawFit fit_weighted(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
                    const FitMethod& method) {
  const std::size_t window = runs.window(method.window);
  std::vector<WeightedOptimum> optima;
  for (const std::size_t g : groups) {
    const QuadraticSurface surface = fit_quadratic(runs.groups[g], window);
    if (surface.defect == FitDefect::none)
      optima.push_back({features_of(runs.groups[g].scale), surface.optimum, surface.hessian});
  }
  const WeightedFit fit = fit_weighted_optima(optima, form);
  if (fit.defect != FitDefect::none) return without_law(form, method, fit.defect);
  return plain_fit(form, method, fit.law, static_cast<double>(optima.size()), absent);
}

LawFit fit_surface(const JointSurface& surface, const LawForm& form, const FitMethod& method) {
  if (surface.defect != FitDefect::none) return without_law(form, method, surface.defect);
  return plain_fit(form, method, surface.law, surface.n, surface.residual_sd);
}

}  // namespace

LawFit fit_law(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
               const FitMethod& method) {
  switch (method.estimator) {
    case LawEstimator::argmin:
    case LawEstimator::kept_rows:
    case LawEstimator::quadratic:
      return fit_regression(runs, groups, form, method);
    case LawEstimator::quadratic_weighted:
      return fit_weighted(runs, groups, form, method);
    case LawEstimator::joint_surface:
      return fit_surface(fit_plain_joint(runs, groups, method.window, form), form, method);
    case LawEstimator::robust_surface:
      return fit_surface(fit_robust_joint(runs, groups, method.window, form), form, method);
  }
  return without_law(form, method, FitDefect::not_converged);
}

LawFit fit_law(const SelectedRuns& runs, const LawForm& form, const FitMethod& method) {
  std::vector<std::size_t> groups(runs.groups.size());
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  return fit_law(runs, groups, form, method);
}

PowerLaw with_fitted_intercept(const SelectedRuns& runs, const PowerLaw& learning_rate, double window) {
  const std::size_t number = runs.window(window);
  PowerLaw shape = learning_rate;
  shape.intercept = 0.0;
  double n = 0.0;
  double sum = 0.0;
  for (const SelectedGroup& group : runs.groups) {
    const RunMoments& m = group.moments[number];
    n += m.n;
    sum += m.u + m.n * (group.reference.x - shape.at(features_of(group.scale)));
  }
  shape.intercept = sum / n;
  return shape;
}

}  // namespace dfsweep::law_fits
