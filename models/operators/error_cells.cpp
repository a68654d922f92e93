/// Cells of equal numbers; an empty cell takes the quantiles of all.
#include "models/operators/error_cells.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace dfsweep::operators {

namespace {

std::size_t cell_of(std::span<const float> limits, float value) {
  return static_cast<std::size_t>(std::upper_bound(limits.begin(), limits.end(), value) - limits.begin());
}

/// Values between parts of equal numbers. Pre: the values are sorted.
template <class Limits>
Limits limits_of(const std::vector<float>& sorted) {
  Limits limits{};
  if (sorted.empty()) return limits;
  for (std::size_t i = 0; i < limits.size(); ++i) limits[i] = sorted[(i + 1) * sorted.size() / (limits.size() + 1)];
  return limits;
}

template <class Member>
std::vector<float> sorted_values(std::span<const KnownError> known, Member member) {
  std::vector<float> values;
  for (const KnownError& one : known) values.push_back(one.*member);
  std::sort(values.begin(), values.end());
  return values;
}

ErrorQuantiles quantiles_of(const std::vector<float>& errors, const ErrorQuantiles& otherwise) {
  constexpr std::size_t fewest = 10;
  if (errors.size() < fewest) return otherwise;
  return {conformal_quantile(errors, 0.5), conformal_quantile(errors, 0.9)};
}

}  // namespace

float conformal_quantile(std::vector<float> errors, double level) {
  const double rank = std::ceil(level * static_cast<double>(errors.size() + 1));
  const std::size_t index = std::min(errors.size(), static_cast<std::size_t>(std::max(rank, 1.0))) - 1;
  std::nth_element(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(index), errors.end());
  return errors[index];
}

ErrorCells::ErrorCells(std::vector<KnownError> known) {
  if (known.empty()) return;
  distances_ = limits_of<Limits>(sorted_values(known, &KnownError::distance));
  const std::vector<float> all = sorted_values(known, &KnownError::error);
  const ErrorQuantiles of_all{conformal_quantile(all, 0.5), conformal_quantile(all, 0.9)};
  std::array<std::vector<KnownError>, steps> by_distance;
  for (const KnownError& one : known) by_distance[cell_of(distances_, one.distance)].push_back(one);
  for (std::size_t d = 0; d < steps; ++d) {
    spreads_[d] = limits_of<Limits>(sorted_values(by_distance[d], &KnownError::spread));
    std::array<std::vector<float>, steps> errors;
    for (const KnownError& one : by_distance[d]) errors[cell_of(spreads_[d], one.spread)].push_back(one.error);
    for (std::size_t s = 0; s < steps; ++s) cells_[d][s] = quantiles_of(errors[s], of_all);
  }
}

ErrorQuantiles ErrorCells::at(float distance, float spread) const {
  const std::size_t d = cell_of(distances_, distance);
  return cells_[d][cell_of(spreads_[d], spread)];
}

}  // namespace dfsweep::operators
