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

}  // namespace dfsweep
