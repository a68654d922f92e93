#include "engine/sweep/split.hpp"

#include <algorithm>
#include <cmath>

#include "models/statistics/permutation.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep {

SplitRule::SplitRule(const SweepSpec& spec) : key_(key_of(*spec.sample, SampleStream::split)) {
  const Split& split = *spec.sample->split;
  double end = 0.0;
  for (const double share : split.shares) ends_.push_back(end += share);
  std::uint64_t stride = 1;
  strides_.resize(spec.axes.size());
  for (std::size_t axis = spec.axes.size(); axis-- > 0; stride *= spec.axes[axis].size) strides_[axis] = stride;
  if (spec.search)
    for (const std::size_t axis : spec.search->axes) strides_[axis] = 0;
  std::uint64_t combinations = 1;
  for (const std::size_t axis : split.axes) {
    axes_.push_back({axis, spec.axes[axis].size});
    combinations *= spec.axes[axis].size;
  }
  if (axes_.empty()) return;
  const KeyedPermutation permutation(combinations, key_);
  const auto count = static_cast<double>(combinations);
  for (std::uint64_t c = 0; c < combinations; ++c) {
    const auto place = static_cast<double>(permutation(c));
    const auto after =
        std::find_if(ends_.begin(), ends_.end(), [&](double one) { return place < std::round(one * count); });
    parts_.push_back(static_cast<std::uint8_t>(
        std::min<std::ptrdiff_t>(after - ends_.begin(), static_cast<std::ptrdiff_t>(ends_.size()) - 1)));
  }
}

std::uint32_t SplitRule::part_of_group(std::span<const std::uint32_t> codes) const {
  std::uint64_t point = 0;
  for (std::size_t axis = 0; axis < codes.size(); ++axis) point += codes[axis] * strides_[axis];
  return part(point, [codes](std::size_t axis) { return codes[axis]; });
}

double SplitRule::fraction_of(std::uint64_t point) const {
  return CounterRandom(key_).uniform(point);
}

std::uint32_t SplitRule::part_at(double fraction) const {
  const auto after = std::upper_bound(ends_.begin(), ends_.end(), fraction);
  return static_cast<std::uint32_t>(
      std::min<std::ptrdiff_t>(after - ends_.begin(), static_cast<std::ptrdiff_t>(ends_.size()) - 1));
}

}  // namespace dfsweep
