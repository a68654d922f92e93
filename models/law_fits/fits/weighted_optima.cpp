#include "models/law_fits/fits/weighted_optima.hpp"

#include <algorithm>

#include "models/law_fits/law_basis.hpp"
#include "models/statistics/least_squares.hpp"

namespace dfsweep::law_fits {

WeightedFit fit_weighted_optima(std::span<const WeightedOptimum> groups, const LawForm& form) {
  const LawBasis x(form.learning_rate);
  const LawBasis y(form.batch_tokens);
  if (groups.size() < std::max(x.size(), y.size())) return {FitDefect::too_few_groups, {}};
  std::array<double, law_feature_count> means{};
  LogPoint origin;
  for (const WeightedOptimum& group : groups) {
    const double share = 1.0 / static_cast<double>(groups.size());
    for (std::size_t f = 0; f < law_feature_count; ++f) means[f] += share * group.features[f];
    origin.x += share * group.optimum.x;
    origin.y += share * group.optimum.y;
  }

  const std::size_t size = x.size() + y.size();
  std::vector<double> a(size * size);
  std::vector<double> b(size);
  for (const WeightedOptimum& group : groups) {
    const auto f = x.row(group.features, means);
    const auto g = y.row(group.features, means);
    const double dx = group.optimum.x - origin.x;
    const double dy = group.optimum.y - origin.y;
    const Hessian& h = group.weight;
    for (std::size_t i = 0; i < x.size(); ++i) {
      b[i] += f[i] * (h.xx * dx + h.xy * dy);
      for (std::size_t j = 0; j <= i; ++j) a[i * size + j] += h.xx * f[i] * f[j];
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      const std::size_t row = x.size() + i;
      b[row] += g[i] * (h.xy * dx + h.yy * dy);
      for (std::size_t j = 0; j < x.size(); ++j) a[row * size + j] += h.xy * g[i] * f[j];
      for (std::size_t j = 0; j <= i; ++j) a[row * size + x.size() + j] += h.yy * g[i] * g[j];
    }
  }
  if (!solve_positive(a, b)) return {FitDefect::singular_design, {}};
  const std::span<const double> coefficients = b;
  return {FitDefect::none,
          {x.law(coefficients, means, origin.x), y.law(coefficients.subspan(x.size()), means, origin.y)}};
}

}  // namespace dfsweep::law_fits
