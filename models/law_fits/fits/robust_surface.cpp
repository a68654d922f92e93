#include "models/law_fits/fits/robust_surface.hpp"

#include <algorithm>
#include <cmath>

#include "models/expect.hpp"
#include "models/law_fits/fits/regression.hpp"

namespace dfsweep::law_fits {

namespace {

/// A run of the window as a row, with the index of its group among the fitted groups.
struct SurfaceRow {
  std::size_t member = 0;
  double u = 0.0;
  double v = 0.0;
  double s = 0.0;
  double weight = 1.0;
};

std::vector<SurfaceRow> rows_of(const SelectedRuns& runs, std::span<const std::size_t> groups, double window) {
  std::vector<std::size_t> member(runs.groups.size(), groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) member[groups[i]] = i;
  std::vector<SurfaceRow> rows;
  for (const KeptRun& run : runs.kept) {
    if (!(run.rel < window) || member[run.group] == groups.size()) continue;
    const LogPoint& reference = runs.groups[run.group].reference;
    rows.push_back({member[run.group], run.x - reference.x, run.y - reference.y, run.s, 1.0});
  }
  return rows;
}

std::vector<RunMoments> weighted_moments(std::span<const SurfaceRow> rows, std::size_t members) {
  std::vector<RunMoments> moments(members);
  for (const SurfaceRow& row : rows) moments[row.member].add(row.u, row.v, row.s, row.weight);
  return moments;
}

std::vector<JointMoments> weighted_groups(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                          std::span<const RunMoments> moments) {
  std::vector<JointMoments> joint;
  joint.reserve(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i)
    joint.push_back(joint_moments(moments[i], runs.groups[groups[i]].reference, runs.groups[groups[i]].scale));
  return joint;
}

/// [row] Residuals of ln L against the surface; the level of each group is the weighted mean of its residuals.
std::vector<double> residuals(const SelectedRuns& runs, std::span<const std::size_t> groups,
                              std::span<const SurfaceRow> rows, const JointSurface& surface) {
  std::vector<LogPoint> optimum(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const SelectedGroup& group = runs.groups[groups[i]];
    const LogPoint at = surface.law.at(group.scale);
    optimum[i] = {at.x - group.reference.x, at.y - group.reference.y};
  }
  const Hessian& h = surface.hessian;
  std::vector<double> residual(rows.size());
  std::vector<double> level(groups.size());
  std::vector<double> weight(groups.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double dx = rows[r].u - optimum[rows[r].member].x;
    const double dy = rows[r].v - optimum[rows[r].member].y;
    residual[r] = rows[r].s - 0.5 * (h.xx * dx * dx + 2.0 * h.xy * dx * dy + h.yy * dy * dy);
    level[rows[r].member] += rows[r].weight * residual[r];
    weight[rows[r].member] += rows[r].weight;
  }
  for (std::size_t r = 0; r < rows.size(); ++r) residual[r] -= level[rows[r].member] / weight[rows[r].member];
  return residual;
}

double robust_sd(std::span<const double> residual) {
  std::vector<double> size(residual.size());
  std::transform(residual.begin(), residual.end(), size.begin(), [](double r) { return std::abs(r); });
  const auto middle = size.begin() + static_cast<std::ptrdiff_t>(size.size() / 2);
  std::nth_element(size.begin(), middle, size.end());
  return 1.4826 * *middle;
}

JointSurface fit_joint_form(std::span<const JointMoments> groups, const LawForm& form, const ScalingLaw& start,
                            const Hessian& start_hessian) {
  return form.learning_rate == form.batch_tokens ? fit_joint_linear(groups, form.learning_rate)
                                                 : fit_joint(groups, form, start, start_hessian);
}

bool usable(const JointSurface& surface) {
  return surface.defect == FitDefect::none;
}

}  // namespace

JointSurface fit_plain_joint(const SelectedRuns& runs, std::span<const std::size_t> groups, double window,
                             const LawForm& form) {
  const LawFit start = fit_regression(runs, groups, form, {LawEstimator::kept_rows, window});
  JointSurface surface;
  surface.defect = start.defect;
  if (start.defect != FitDefect::none) return surface;
  return fit_joint_form(joint_moments(runs, groups, runs.window(window)), form, start.law(), usual_hessian);
}

JointSurface fit_robust_joint(const SelectedRuns& runs, std::span<const std::size_t> groups, double window,
                              const LawForm& form) {
  DFSWEEP_EXPECT(runs.kept_below >= window);
  constexpr std::size_t most_iterations = 200;
  constexpr double tuning = 1.345;  // 95 % efficiency on normal residuals
  std::vector<SurfaceRow> rows = rows_of(runs, groups, window);
  JointSurface surface = fit_plain_joint(runs, groups, window, form);
  bool settled = false;
  for (std::size_t iteration = 1; usable(surface) && !settled && iteration <= most_iterations; ++iteration) {
    const std::vector<double> residual = residuals(runs, groups, rows, surface);
    const double bound = tuning * robust_sd(residual);
    for (std::size_t r = 0; r < rows.size(); ++r)
      rows[r].weight = std::abs(residual[r]) <= bound ? 1.0 : bound / std::abs(residual[r]);
    const auto moments = weighted_moments(rows, groups.size());
    const JointSurface next =
        fit_joint_form(weighted_groups(runs, groups, moments), form, surface.law, surface.hessian);
    const double moved = std::abs(next.law.learning_rate.intercept - surface.law.learning_rate.intercept) +
                         std::abs(next.law.batch_tokens.intercept - surface.law.batch_tokens.intercept);
    settled = moved < 1e-7;
    surface = next;
    surface.iterations = iteration;
  }
  if (usable(surface) && !settled) surface.defect = FitDefect::not_converged;
  return surface;
}

}  // namespace dfsweep::law_fits
