#include "models/hyperparameters/fit.hpp"

#include <charconv>
#include <limits>
#include <numeric>

#include "models/expect.hpp"
#include "models/hyperparameters/robust_surface.hpp"
#include "models/hyperparameters/weighted_optima.hpp"

namespace dfsweep {

namespace {

constexpr FitMethod methods[] = {
    {LawEstimator::argmin, 0.0},           {LawEstimator::kept_rows, 0.00125},
    {LawEstimator::kept_rows, 0.0025},     {LawEstimator::kept_rows, 0.005},
    {LawEstimator::quadratic, 0.01},       {LawEstimator::quadratic, 0.02},
    {LawEstimator::quadratic, 0.04},       {LawEstimator::quadratic_weighted, 0.01},
    {LawEstimator::joint_surface, 0.0075}, {LawEstimator::joint_surface, 0.01},
    {LawEstimator::joint_surface, 0.015},  {LawEstimator::robust_surface, 0.02},
};

LawFit without_law(const LawForm& form, const FitMethod& method, FitDefect defect) {
  return {form, method, defect, without_target(0.0), without_target(0.0)};
}

LawFit fit_regression(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
                      const FitMethod& method) {
  const RegressionRows rows = regression_rows(runs, groups, method);
  const FittedTarget learning_rate = fit_target(rows.learning_rate, form.learning_rate);
  const FittedTarget batch_tokens = fit_target(rows.batch_tokens, form.batch_tokens);
  if (learning_rate.defect != FitDefect::none) return without_law(form, method, learning_rate.defect);
  if (batch_tokens.defect != FitDefect::none) return without_law(form, method, batch_tokens.defect);
  return {form, method, FitDefect::none, learning_rate.fit, batch_tokens.fit};
}

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
  return plain_fit(form, method, fit.law, static_cast<double>(optima.size()), std::numeric_limits<double>::quiet_NaN());
}

LawFit fit_surface(const JointSurface& surface, const LawForm& form, const FitMethod& method) {
  if (surface.defect != FitDefect::none) return without_law(form, method, surface.defect);
  return plain_fit(form, method, surface.law, surface.n, surface.residual_sd);
}

}  // namespace

std::string method_name(const FitMethod& method) {
  char text[32];
  const auto written =
      std::to_chars(std::begin(text), std::end(text), 100.0 * method.window, std::chars_format::general, 6);
  const std::string window(text, written.ptr);
  switch (method.estimator) {
    case LawEstimator::argmin:
      return "argmin";
    case LawEstimator::kept_rows:
      return "near" + window;
    case LawEstimator::quadratic:
      return "quad" + window;
    case LawEstimator::quadratic_weighted:
      return "quad" + window + "_Hweighted";
    case LawEstimator::joint_surface:
      return "joint_surface" + window;
    case LawEstimator::robust_surface:
      return "joint_huber" + window;
  }
  return {};
}

std::span<const FitMethod> fit_methods() {
  return methods;
}

RegressionRows regression_rows(const SelectedRuns& runs, std::span<const std::size_t> groups, const FitMethod& method) {
  RegressionRows rows;
  const auto add = [&](std::size_t g, LogPoint origin, const RunMoments& m) {
    const auto features = features_of(runs.groups[g].scale);
    rows.members.push_back(g);
    rows.learning_rate.push_back({features, origin.x, m.n, m.u, m.uu});
    rows.batch_tokens.push_back({features, origin.y, m.n, m.v, m.vv});
  };
  RunMoments single;
  single.n = 1.0;
  for (const std::size_t g : groups) {
    const SelectedGroup& group = runs.groups[g];
    if (method.estimator == LawEstimator::argmin) {
      add(g, group.reference, single);
    } else if (method.estimator == LawEstimator::kept_rows) {
      add(g, group.reference, group.moments[runs.window(method.window)]);
    } else {
      DFSWEEP_EXPECT(method.estimator == LawEstimator::quadratic);
      const QuadraticSurface surface = fit_quadratic(group, runs.window(method.window));
      if (surface.defect == FitDefect::none) add(g, surface.optimum, single);
    }
  }
  return rows;
}

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

}  // namespace dfsweep
