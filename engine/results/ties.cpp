#include "engine/results/ties.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep {

const DatasetColumn* expected_error_of(const DatasetReader& file, const DatasetColumn& metric) {
  return file.column(metric.units == "byte" ? "expected_memory_error" : "expected_error");
}

std::size_t tied_values(std::span<const double> values, double error) {
  if (values.empty()) return 0;
  const double allowed = error > 0.0 ? std::log1p(error) : 0.0;
  const auto lies_within = [&](double value) {
    return value == values.front() || std::abs(std::log(value / values.front())) <= allowed;
  };
  const auto beyond = std::find_if_not(values.begin() + 1, values.end(), lies_within);
  return static_cast<std::size_t>(beyond - values.begin());
}

std::vector<std::size_t> places_of_unlike(std::span<const double> values) {
  std::vector<std::size_t> places;
  for (std::size_t v = 0; v < values.size(); ++v) {
    // Values are sorted, so that the last kept one is the nearest.
    const bool is_like = !places.empty() &&
                         std::abs(values[v] - values[places.back()]) <= nearly_equal * std::abs(values[places.back()]);
    if (!is_like) places.push_back(v);
  }
  return places;
}

}  // namespace dfsweep
