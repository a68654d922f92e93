#include "models/law_fits/fits/regression.hpp"

#include <charconv>

#include "models/expect.hpp"

namespace dfsweep::law_fits {

namespace {

constexpr FitMethod methods[] = {
    {LawEstimator::argmin, 0.0},           {LawEstimator::kept_rows, 0.00125},
    {LawEstimator::kept_rows, 0.0025},     {LawEstimator::kept_rows, 0.005},
    {LawEstimator::quadratic, 0.01},       {LawEstimator::quadratic, 0.02},
    {LawEstimator::quadratic, 0.04},       {LawEstimator::quadratic_weighted, 0.01},
    {LawEstimator::joint_surface, 0.0075}, {LawEstimator::joint_surface, 0.01},
    {LawEstimator::joint_surface, 0.015},  {LawEstimator::robust_surface, 0.02},
};

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

}  // namespace dfsweep::law_fits
