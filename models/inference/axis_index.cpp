#include "models/inference/axis_index.hpp"

#include <algorithm>
#include <cmath>

#include "models/expect.hpp"

namespace dfsweep {

AxisIndex::AxisIndex(double first, double last) {
  DFSWEEP_EXPECT(first >= 0.0 && first <= last && last <= 1048576.0);
  first_ = static_cast<std::uint32_t>(std::ceil(first));
  // An axis without a whole number within it is asked for at the one before.
  first_ = std::min(first_, static_cast<std::uint32_t>(last));
  places_.resize(static_cast<std::uint32_t>(last) - first_ + 1);
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
