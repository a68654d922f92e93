/// Building: each part is halved along its widest axis.
#include "models/operators/key_tree.hpp"

#include <cmath>
#include <numeric>

namespace dfsweep::operators {

Place place_of(Family family, const Keys& keys) {
  const std::span<const KeyInfo> infos = info_of(family).keys;
  Place place{};
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const double key = infos[i].range == KeyInfo::Range::from_zero ? 1.0 + keys[i] : keys[i];
    place[i] = static_cast<float>(infos[i].weight * std::log2(key));
  }
  return place;
}

KeyTree::KeyTree(std::span<const Place> places) : rows_(places.size()) {
  if (places.empty()) return;
  std::iota(rows_.begin(), rows_.end(), 0U);
  nodes_.reserve(2 * places.size() / leaf_rows + 1);
  is_narrow_ = std::all_of(places.begin(), places.end(), [&](const Place& place) {
    return std::equal(place.begin() + 4, place.end(), places[0].begin() + 4);
  });
  build(places, 0, static_cast<std::uint32_t>(places.size()));
  for (const std::uint32_t row : rows_) places_.push_back(places[row]);
}

std::uint32_t KeyTree::build(std::span<const Place> places, std::uint32_t begin, std::uint32_t end) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({0.0F, most_keys, begin, end, 0});
  if (end - begin <= leaf_rows) return index;
  Place low = places[rows_[begin]];
  Place high = low;
  for (std::uint32_t i = begin; i < end; ++i)
    for (std::size_t axis = 0; axis < most_keys; ++axis) {
      low[axis] = std::min(low[axis], places[rows_[i]][axis]);
      high[axis] = std::max(high[axis], places[rows_[i]][axis]);
    }
  std::uint32_t widest = 0;
  for (std::uint32_t axis = 1; axis < most_keys; ++axis)
    if (high[axis] - low[axis] > high[widest] - low[widest]) widest = axis;
  if (!(high[widest] > low[widest])) return index;  // equal places stay together
  const std::uint32_t middle = begin + (end - begin) / 2;
  std::nth_element(rows_.begin() + begin, rows_.begin() + middle, rows_.begin() + end,
                   [&](std::uint32_t a, std::uint32_t b) {
                     return places[a][widest] != places[b][widest] ? places[a][widest] < places[b][widest] : a < b;
                   });
  // Between two different coordinates: half of the grid's step is the farthest that a split can be from both.
  const float split = places[rows_[middle]][widest];
  const auto first_right = std::partition(rows_.begin() + begin, rows_.begin() + end,
                                          [&](std::uint32_t row) { return places[row][widest] < split; });
  const auto cut = static_cast<std::uint32_t>(first_right - rows_.begin());
  const bool is_lowest = cut == begin;  // half of the rows and more have the lowest coordinate
  const auto first_above = is_lowest ? std::partition(rows_.begin() + begin, rows_.begin() + end,
                                                      [&](std::uint32_t row) { return places[row][widest] <= split; })
                                     : first_right;
  const auto right_begin = static_cast<std::uint32_t>(first_above - rows_.begin());
  float left_high = low[widest];
  float right_low = high[widest];
  for (std::uint32_t i = begin; i < right_begin; ++i) left_high = std::max(left_high, places[rows_[i]][widest]);
  for (std::uint32_t i = right_begin; i < end; ++i) right_low = std::min(right_low, places[rows_[i]][widest]);
  build(places, begin, right_begin);
  const std::uint32_t right = build(places, right_begin, end);
  nodes_[index] = {0.5F * (left_high + right_low), widest, begin, end, right};
  return index;
}

}  // namespace dfsweep::operators
