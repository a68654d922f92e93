/// KeyTree: the measured keys nearest to a point, in a k-d tree over the logarithms of the keys.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/operators/family.hpp"

namespace dfsweep::operators {

/// Coordinates of a point: log2 of each key, log2(1 + key) of those that begin at 0, times the weight of the key.
using Place = std::array<float, most_keys>;
[[nodiscard]] Place place_of(Family family, const Keys& keys);

inline constexpr std::size_t neighbours = 6;

/// The nearest keys, by distance.
struct Nearest {
  std::array<float, neighbours> squared_distance;
  std::array<std::uint32_t, neighbours> row;
  std::size_t count = 0;
};

class KeyTree {
 public:
  KeyTree() = default;
  /// `places` in the order of the rows that queries return.
  explicit KeyTree(std::span<const Place> places);

  /// The six rows with the least distances among those that `is_wanted(row)` accepts. Of rows at the same distance, the
  /// one that the tree keeps first, which depends on the places alone.
  template <class Wanted>
  [[nodiscard]] Nearest nearest(const Place& place, const Wanted& is_wanted) const;

 private:
  static constexpr std::uint32_t leaf_rows = 8;
  static constexpr std::size_t deepest = 64;

  struct Node {
    float split = 0.0F;
    std::uint32_t axis = 0;
    std::uint32_t begin = 0;  ///< rows of a leaf; `axis` is most_keys
    std::uint32_t end = 0;
    std::uint32_t right = 0;  ///< the left child follows its parent
  };
  /// A part of the tree that is still to be searched, and how far it is at least.
  struct Pending {
    std::uint32_t node;
    float distance;
    Place offset;  ///< along each axis, from the point to the part
  };

  std::uint32_t build(std::span<const Place> places, std::uint32_t begin, std::uint32_t end);

  template <std::size_t Axes, class Wanted>
  void search(const Place& place, const Wanted& is_wanted, Nearest& nearest) const;
  template <std::size_t Axes, class Wanted>
  void search_leaf(const Node& leaf, const Place& place, const Wanted& is_wanted, Nearest& nearest) const;

  std::vector<Node> nodes_;
  std::vector<Place> places_;        ///< in the order of the leaves
  std::vector<std::uint32_t> rows_;  ///< of the places
  bool is_narrow_ = false;           ///< only the first four axes differ
};

/// Puts a row in its place among the nearest. Pre: it is nearer than the last, or there are less than six.
inline void insert(Nearest& nearest, float distance, std::uint32_t row) {
  std::size_t at = nearest.count < neighbours ? nearest.count++ : neighbours - 1;
  for (; at > 0 && nearest.squared_distance[at - 1] > distance; --at) {
    nearest.squared_distance[at] = nearest.squared_distance[at - 1];
    nearest.row[at] = nearest.row[at - 1];
  }
  nearest.squared_distance[at] = distance;
  nearest.row[at] = row;
}

template <std::size_t Axes, class Wanted>
void KeyTree::search_leaf(const Node& leaf, const Place& place, const Wanted& is_wanted, Nearest& nearest) const {
  for (std::uint32_t i = leaf.begin; i < leaf.end; ++i) {
    float distance = 0.0F;
    for (std::size_t axis = 0; axis < Axes; ++axis) {
      const float difference = places_[i][axis] - place[axis];
      distance += difference * difference;
    }
    const bool is_near = nearest.count < neighbours || distance < nearest.squared_distance[neighbours - 1];
    if (is_near && is_wanted(rows_[i])) insert(nearest, distance, rows_[i]);
  }
}

template <std::size_t Axes, class Wanted>
void KeyTree::search(const Place& place, const Wanted& is_wanted, Nearest& nearest) const {
  std::array<Pending, deepest> stack;
  std::size_t size = 0;
  stack[size++] = {0, 0.0F, {}};
  while (size > 0) {
    const Pending part = stack[--size];
    if (nearest.count == neighbours && part.distance >= nearest.squared_distance[neighbours - 1]) continue;
    std::uint32_t at = part.node;
    while (nodes_[at].axis < most_keys) {
      const Node& node = nodes_[at];
      const float difference = place[node.axis] - node.split;
      const std::uint32_t near = difference < 0.0F ? at + 1 : node.right;
      const std::uint32_t far = difference < 0.0F ? node.right : at + 1;
      const float before = part.offset[node.axis];
      const float distance = part.distance - before * before + difference * difference;
      if (nearest.count < neighbours || distance < nearest.squared_distance[neighbours - 1]) {
        stack[size] = {far, distance, part.offset};
        stack[size++].offset[node.axis] = difference;
      }
      at = near;
    }
    search_leaf<Axes>(nodes_[at], place, is_wanted, nearest);
  }
}

template <class Wanted>
Nearest KeyTree::nearest(const Place& place, const Wanted& is_wanted) const {
  Nearest nearest;
  if (nodes_.empty()) return nearest;
  if (is_narrow_)
    search<4>(place, is_wanted, nearest);
  else
    search<most_keys>(place, is_wanted, nearest);
  return nearest;
}

}  // namespace dfsweep::operators
