#include "models/law_fits/surfaces/joint_surface.hpp"

#include <algorithm>
#include <cmath>

#include "models/absent.hpp"
#include "models/law_fits/surfaces/joint_normal.hpp"

namespace dfsweep::law_fits {

namespace {

/// Means over the runs, the origin of all coordinates.
struct Origin {
  LogPoint point;
  std::array<double, law_feature_count> features{};
};

Origin origin_of(std::span<const JointMoments> groups) {
  Origin origin;
  double n = 0.0;
  for (const JointMoments& group : groups) {
    n += group.n;
    origin.point.x += group.n * group.reference.x;
    origin.point.y += group.n * group.reference.y;
    for (std::size_t f = 0; f < law_feature_count; ++f) origin.features[f] += group.n * group.features[f];
  }
  origin.point.x /= n;
  origin.point.y /= n;
  for (double& feature : origin.features) feature /= n;
  return origin;
}

JointSurface without_law(FitDefect defect, double n) {
  PowerLaw none;
  none.intercept = absent;
  none.exponent.fill(absent);
  return {defect, {none, none}, {absent, absent, absent}, n, absent, absent, 0};
}

double total_runs(std::span<const JointMoments> groups) {
  double n = 0.0;
  for (const JointMoments& group : groups) n += group.n;
  return n;
}

void finish(JointSurface& surface, std::size_t groups, std::size_t coefficients) {
  surface.residual_sd = std::sqrt(surface.rss / (surface.n - static_cast<double>(groups + coefficients + curvatures)));
  if (!surface.hessian.positive_definite()) surface.defect = FitDefect::indefinite_hessian;
}

}  // namespace

JointSurface fit_joint_linear(std::span<const JointMoments> groups, FeatureSet features) {
  const LawBasis basis(features);
  const std::size_t width = basis.size();
  const double n = total_runs(groups);
  if (groups.size() < width) return without_law(FitDefect::too_few_groups, n);
  const Origin origin = origin_of(groups);

  JointNormal normal(width, width);
  for (const JointMoments& group : groups) {
    const double x = group.reference.x - origin.point.x;
    const double y = group.reference.y - origin.point.y;
    const auto row = basis.row(group.features, origin.features);
    normal.add(group, {}, {{{{x, 0.0}, {y, x}, {0.0, y}}}, {1.0, 0.0}, {0.0, 1.0}}, row, row);
  }
  std::array<double, most_unknowns> storage{};
  const std::span<double> unknowns = std::span(storage).first(normal.size());
  if (!normal.step(JointNormal::Curvature::linear, 0.0, unknowns)) return without_law(FitDefect::singular_design, n);

  JointSurface surface;
  surface.n = n;
  surface.hessian = {unknowns[0], unknowns[1], unknowns[2]};
  std::array<double, most_coefficients> a{};
  std::array<double, most_coefficients> b{};
  for (std::size_t c = 0; c < width; ++c) {
    const LogPoint optimum =
        minus_inverse(surface.hessian, {unknowns[curvatures + c], unknowns[curvatures + width + c]});
    a[c] = optimum.x;
    b[c] = optimum.y;
  }
  surface.law = {basis.law(a, origin.features, origin.point.x), basis.law(b, origin.features, origin.point.y)};
  surface.rss = std::max(0.0, normal.cost() - normal.explained(unknowns));
  surface.iterations = 1;
  finish(surface, groups.size(), 2 * width);
  return surface;
}

namespace {

/// Unknowns (h1, h2, h3, a, b) relative to the origin, and their linearisation for a group.
class GeneralForm {
 public:
  GeneralForm(std::span<const JointMoments> groups, const LawForm& form)
      : groups_(groups), x_(form.learning_rate), y_(form.batch_tokens), origin_(origin_of(groups)) {}

  [[nodiscard]] std::size_t size() const { return curvatures + x_.size() + y_.size(); }
  [[nodiscard]] std::size_t most_of_a_target() const { return std::max(x_.size(), y_.size()); }

  [[nodiscard]] std::vector<double> unknowns(const ScalingLaw& law, const Hessian& hessian) const {
    std::vector<double> values = {hessian.xx, hessian.xy, hessian.yy};
    const auto a = x_.coefficients(law.learning_rate, origin_.features, origin_.point.x);
    const auto b = y_.coefficients(law.batch_tokens, origin_.features, origin_.point.y);
    values.insert(values.end(), a.begin(), a.begin() + static_cast<std::ptrdiff_t>(x_.size()));
    values.insert(values.end(), b.begin(), b.begin() + static_cast<std::ptrdiff_t>(y_.size()));
    return values;
  }

  [[nodiscard]] ScalingLaw law(std::span<const double> unknowns) const {
    return {x_.law(unknowns.subspan(curvatures), origin_.features, origin_.point.x),
            y_.law(unknowns.subspan(curvatures + x_.size()), origin_.features, origin_.point.y)};
  }

  /// w = (h1, h2, h3, -h1 dx - h2 dy, -h2 dx - h3 dy), (dx, dy) = z* - reference of the group.
  void linearize(std::span<const double> unknowns, JointNormal& normal) const {
    normal.clear();
    const double h1 = unknowns[0];
    const double h2 = unknowns[1];
    const double h3 = unknowns[2];
    for (const JointMoments& group : groups_) {
      const auto f = x_.row(group.features, origin_.features);
      const auto g = y_.row(group.features, origin_.features);
      double dx = origin_.point.x - group.reference.x;
      double dy = origin_.point.y - group.reference.y;
      for (std::size_t c = 0; c < x_.size(); ++c) dx += unknowns[curvatures + c] * f[c];
      for (std::size_t c = 0; c < y_.size(); ++c) dy += unknowns[curvatures + x_.size() + c] * g[c];
      normal.add(group, {h1, h2, h3, -h1 * dx - h2 * dy, -h2 * dx - h3 * dy},
                 {{{{-dx, 0.0}, {-dy, -dx}, {0.0, -dy}}}, {-h1, -h2}, {-h2, -h3}}, f, g);
    }
  }

  [[nodiscard]] JointNormal normal() const { return {x_.size(), y_.size()}; }

 private:
  std::span<const JointMoments> groups_;
  LawBasis x_;
  LawBasis y_;
  Origin origin_;
};

}  // namespace

JointSurface fit_joint(std::span<const JointMoments> groups, const LawForm& form, const ScalingLaw& start,
                       const Hessian& start_hessian) {
  constexpr std::size_t most_iterations = 200;
  const double n = total_runs(groups);
  const GeneralForm general(groups, form);
  const std::size_t coefficients = general.size() - curvatures;
  if (groups.size() < general.most_of_a_target()) return without_law(FitDefect::too_few_groups, n);

  std::vector<double> unknowns = general.unknowns(start, start_hessian);
  std::vector<double> step(unknowns.size());
  std::vector<double> moved(unknowns.size());
  JointNormal here = general.normal();
  JointNormal there = here;
  general.linearize(unknowns, here);
  double damping = 0.0;
  JointSurface surface;
  surface.n = n;
  surface.defect = FitDefect::not_converged;
  while (surface.defect == FitDefect::not_converged && surface.iterations++ < most_iterations) {
    if (!here.step(JointNormal::Curvature::exact, damping, step) &&
        !here.step(JointNormal::Curvature::linear, damping, step))
      return without_law(FitDefect::singular_design, n);
    double largest = 0.0;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      moved[i] = unknowns[i] + step[i];
      largest = std::max(largest, std::abs(step[i]) / (std::abs(moved[i]) + 1e-3));
    }
    general.linearize(moved, there);
    if (there.cost() <= here.cost()) {
      damping = damping < 1e-6 ? 0.0 : 0.1 * damping;
      std::swap(unknowns, moved);
      std::swap(here, there);
    } else {
      damping = std::max(1e-3, 10.0 * damping);
    }
    if (largest < 1e-8) surface.defect = FitDefect::none;
  }
  if (surface.defect != FitDefect::none) return without_law(surface.defect, n);
  surface.law = general.law(unknowns);
  surface.hessian = {unknowns[0], unknowns[1], unknowns[2]};
  surface.rss = here.cost();
  finish(surface, groups.size(), coefficients);
  return surface;
}

}  // namespace dfsweep::law_fits
