#include "models/measured_tables/predictors/axis_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/expect.hpp"

namespace dfsweep {

std::uint32_t number_of(double key) {
  constexpr double largest = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min(key, largest));
}

AxisIndex::AxisIndex(double first, double last) {
  DFSWEEP_EXPECT(first >= 0.0 && first <= last);
  const std::uint32_t end = number_of(std::min(last, last_of_axes));
  // An axis without a whole number inside uses the whole number before it.
  first_ = std::min(number_of(std::ceil(first)), end);
  places_.resize(end - first_ + 1);
}

AxisIndex AxisIndex::between(std::span<const double> nodes) {
  DFSWEEP_EXPECT(!nodes.empty());
  AxisIndex index(nodes.front(), nodes.back());
  std::size_t cell = 0;
  for (std::size_t i = 0; i < index.places_.size(); ++i) {
    const double number = static_cast<double>(index.first_) + static_cast<double>(i);
    while (cell + 1 < nodes.size() && nodes[cell + 1] <= number) ++cell;
    const double way = cell + 1 < nodes.size() ? (number - nodes[cell]) / (nodes[cell + 1] - nodes[cell]) : 0.0;
    index.places_[i] = {static_cast<std::uint32_t>(cell), static_cast<float>(std::max(way, 0.0))};
  }
  return index;
}

AxisIndex AxisIndex::steps(std::span<const double> borders, double first, double last) {
  AxisIndex index(first, last);
  std::size_t cell = 0;
  for (std::size_t i = 0; i < index.places_.size(); ++i) {
    const double number = static_cast<double>(index.first_) + static_cast<double>(i);
    while (cell < borders.size() && borders[cell] < number) ++cell;
    index.places_[i] = {static_cast<std::uint32_t>(cell), 0.0f};
  }
  return index;
}

}  // namespace dfsweep
