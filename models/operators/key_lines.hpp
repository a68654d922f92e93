/// KeyLines: the measured keys nearest to a point.
///
/// Measured tables are nearly grids. Rows that differ in one key only form a line, and all lines share the steps of
/// that key. A search finds the line nearest to the point in a k-d tree, goes through the lines near that one, and
/// takes from each the rows at the nearest steps.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "models/operators/family.hpp"

namespace dfsweep::operators {

/// Coordinates of a point: log2 of each key, log2(1 + key) of those that begin at 0, times the weight of the key.
using Place = std::array<float, most_keys>;
[[nodiscard]] Place place_of(Family family, const Keys& keys);

inline constexpr std::size_t neighbours = 6;
inline constexpr std::uint32_t absent_row = std::numeric_limits<std::uint32_t>::max();

/// The six nearest rows in the order of their distances, those at the same distance in the order of their numbers.
class Nearest {
 public:
  /// Only rows that are not farther than `bound` will be inserted.
  explicit Nearest(float bound = std::numeric_limits<float>::max()) { ranks_.fill(rank_of(bound, absent_row)); }

  [[nodiscard]] float squared_distance(std::size_t i) const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits(i) >> 32U));
  }
  [[nodiscard]] std::uint32_t row(std::size_t i) const { return static_cast<std::uint32_t>(bits(i)); }
  [[nodiscard]] std::size_t count() const {
    std::size_t count = 0;
    while (count < neighbours && row(count) != absent_row) ++count;
    return count;
  }
  /// Squared distance beyond which a row is not among the nearest.
  [[nodiscard]] float farthest() const { return squared_distance(neighbours - 1); }

  /// absent_row is not inserted. Pre: `distance` >= 0; every row once.
  void insert(float distance, std::uint32_t row) {
    constexpr auto infinite = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());
    const std::uint64_t absent = row == absent_row ? ~std::uint64_t{0} : 0;
    insert_rank(std::bit_cast<double>((bits_of(distance, row) & ~absent) | (infinite & absent)),
                std::make_index_sequence<neighbours - 1>());
  }
  /// Whether a row at this distance may be among the nearest.
  [[nodiscard]] bool takes(float distance) const { return rank_of(distance, 0) <= ranks_[neighbours - 1]; }

 private:
  /// Without branches, which processors could not foresee.
  template <std::size_t... FromLast>
  void insert_rank(double rank, std::index_sequence<FromLast...>) {
    constexpr std::size_t last = neighbours - 1;
    ((ranks_[last - FromLast] = std::min(ranks_[last - FromLast], std::max(ranks_[last - FromLast - 1], rank))), ...);
    ranks_[0] = std::min(ranks_[0], rank);
  }
  /// Numbers >= 0 have the order of their bits: those of the distance, then those of the row. As doubles, because
  /// processors have instructions for the smaller one.
  static double rank_of(float distance, std::uint32_t row) { return std::bit_cast<double>(bits_of(distance, row)); }
  static std::uint64_t bits_of(float distance, std::uint32_t row) {
    return std::uint64_t{std::bit_cast<std::uint32_t>(distance)} << 32U | row;
  }
  [[nodiscard]] std::uint64_t bits(std::size_t i) const { return std::bit_cast<std::uint64_t>(ranks_[i]); }
  std::array<double, neighbours> ranks_;
};

class KeyLines {
 public:
  KeyLines() = default;
  /// `places` in the order of the rows that searches return.
  explicit KeyLines(std::span<const Place> places);

  [[nodiscard]] Nearest nearest(const Place& place) const;
  /// The nearest among the rows that `is_wanted(row)` accepts.
  template <class Wanted>
  [[nodiscard]] Nearest nearest(const Place& place, const Wanted& is_wanted) const;

 private:
  static constexpr std::uint32_t leaf_lines = 8;
  static constexpr std::size_t deepest = 64;
  static constexpr std::size_t most_steps = 128;
  static constexpr std::uint32_t at_once = 4;  ///< near steps that are found together
  static constexpr std::uint32_t padding =
      at_once;  ///< infinite steps before the first one; there is one after the last
  /// Rows of a line that are tried whether they are near or not: few lines have more, and no branch depends on it.
  static constexpr std::size_t always_tried = 1;
  /// Distances are rounded: a part is left out where it is farther even if its own is too large by as much.
  static constexpr float surely = 0.99999F;

  struct Node {
    float split = 0.0F;
    std::uint32_t axis = most_keys;  ///< most_keys: a leaf
    std::uint32_t begin = 0;         ///< lines
    std::uint32_t end = 0;
    std::uint32_t right = 0;  ///< the left child follows its parent; of a leaf: its index
  };
  /// Coordinates of the lines of a leaf, [axis][line]; infinite ones fill it up.
  using Leaf = std::array<std::array<float, leaf_lines>, most_keys>;
  using LeafDistances = std::array<float, leaf_lines>;
  /// A part of the tree that is still to be searched, and how far it is at least. Without initial values: stacks of
  /// them are made in every search.
  struct Pending {
    std::uint32_t node;
    float distance;
    Place offset;  ///< along each axis, from the point to the part
  };
  struct NearLine {
    float distance;
    std::uint32_t line;
  };
  /// A point as lines see it.
  struct Point {
    Place across{};       ///< coordinates that differ between lines
    float along = 0.0F;   ///< its coordinate along lines
    float beside = 0.0F;  ///< squared distance along the axes in which all rows are the same
  };
  /// Steps in the order of their distance to a point. The first ones are found at once, others when they are asked for.
  class NearSteps {
   public:
    /// `steps`: ascending, between infinite ones.
    NearSteps(std::span<const float> steps, float along);
    /// Infinite beyond the steps that were found.
    [[nodiscard]] float squared_distance(std::size_t i) const { return distances_[i]; }
    [[nodiscard]] std::uint32_t step(std::size_t i) const { return numbers_[i]; }
    /// Whether there are steps beyond those that were found; then some of them are.
    [[nodiscard]] bool finds_more();
    [[nodiscard]] std::size_t found() const { return found_; }

   private:
    void find();

    std::span<const float> steps_;
    float along_;
    std::uint32_t above_ = 0;  ///< the first above the point that is not found yet
    std::uint32_t below_ = 0;
    std::size_t found_ = 0;
    std::array<float, most_steps + at_once> distances_;
    std::array<std::uint32_t, most_steps + at_once> numbers_;
  };

  void choose_axes(std::span<const Place> places);
  void collect_lines(std::span<const Place> places);
  std::uint32_t build(std::span<std::uint32_t> order, std::uint32_t begin, std::uint32_t end);
  void list_near_lines();
  [[nodiscard]] Point point_at(const Place& place) const;
  [[nodiscard]] std::size_t step_count() const { return steps_.size() - padding - 1; }

  template <std::size_t Axes>
  [[nodiscard]] NearLine near_line(const Place& across) const;
  template <std::size_t Axes>
  [[nodiscard]] Nearest nearest_by_lists(const Point& point) const;
  template <std::size_t Axes, class Wanted>
  void search(const Point& point, const Wanted& is_wanted, Nearest& nearest) const;
  template <std::size_t Axes>
  [[nodiscard]] static LeafDistances distances(const Leaf& leaf, const Place& across, float beside);
  /// Goes down to a leaf and notes the parts beside the way that are not farther than `farthest`.
  template <class Nearer>
  [[nodiscard]] const Node& descend(const Pending& part, const Place& across, const Nearer& is_near,
                                    std::array<Pending, deepest>& stack, std::size_t& size) const;
  template <class Wanted>
  [[gnu::always_inline]] void walk(std::uint32_t line, float distance, NearSteps& near_steps, const Wanted& is_wanted,
                                   Nearest& nearest) const;

  std::size_t line_axis_ = most_keys;  ///< most_keys: every row is a line
  std::vector<std::uint8_t> across_;   ///< axes that differ between lines
  std::vector<std::uint8_t> beside_;   ///< axes in which all rows are the same
  Place first_{};                      ///< of the rows
  std::vector<float> steps_;           ///< ascending, between infinite ones
  std::vector<Place> lines_;           ///< coordinates across, in the order of the leaves
  std::vector<std::uint32_t> rows_;    ///< [line][step], absent_row where it was not measured
  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
  std::vector<NearLine> near_lines_;  ///< [line][i] by distance, the line itself first
  std::size_t listed_ = 0;            ///< near lines of each line
};

template <std::size_t Axes>
auto KeyLines::distances(const Leaf& leaf, const Place& across, float beside) -> LeafDistances {
  LeafDistances sums;
  sums.fill(beside);
  for (std::size_t axis = 0; axis < Axes; ++axis)
    for (std::size_t i = 0; i < leaf_lines; ++i) {
      const float difference = leaf[axis][i] - across[axis];
      sums[i] += difference * difference;
    }
  return sums;
}

template <class Nearer>
const KeyLines::Node& KeyLines::descend(const Pending& part, const Place& across, const Nearer& is_near,
                                        std::array<Pending, deepest>& stack, std::size_t& size) const {
  std::uint32_t at = part.node;
  while (nodes_[at].axis < most_keys) {
    const Node& node = nodes_[at];
    const float difference = across[node.axis] - node.split;
    const float before = part.offset[node.axis];
    const float distance = part.distance - before * before + difference * difference;
    if (is_near(distance)) {
      stack[size] = {difference < 0.0F ? node.right : at + 1, distance, part.offset};
      stack[size++].offset[node.axis] = difference;
    }
    at = difference < 0.0F ? at + 1 : node.right;
  }
  return nodes_[at];
}

template <class Wanted>
inline void KeyLines::walk(std::uint32_t line, float distance, NearSteps& near_steps, const Wanted& is_wanted,
                           Nearest& nearest) const {
  const std::uint32_t* const rows = &rows_[line * step_count()];
  const auto insert = [&](std::size_t i, float sum) {
    const std::uint32_t row = rows[near_steps.step(i)];
    nearest.insert(sum, row != absent_row && is_wanted(row) ? row : absent_row);
  };
  std::size_t i = 0;
  for (; i < always_tried; ++i) insert(i, distance + near_steps.squared_distance(i));
  for (;; ++i) {
    if (i == near_steps.found() && !near_steps.finds_more()) return;
    const float sum = distance + near_steps.squared_distance(i);
    if (!nearest.takes(sum)) return;
    insert(i, sum);
  }
}

template <std::size_t Axes, class Wanted>
void KeyLines::search(const Point& point, const Wanted& is_wanted, Nearest& nearest) const {
  NearSteps near_steps(steps_, point.along);
  const auto is_near = [&](float distance) { return surely * (distance + point.beside) <= nearest.farthest(); };
  std::array<Pending, deepest> stack;
  std::size_t size = 0;
  stack[size++] = Pending{};
  while (size > 0) {
    const Pending part = stack[--size];
    if (!is_near(part.distance)) continue;
    const Node& node = descend(part, point.across, is_near, stack, size);
    const LeafDistances sums = distances<Axes>(leaves_[node.right], point.across, point.beside);
    for (std::uint32_t i = 0; i < node.end - node.begin; ++i)
      walk(node.begin + i, sums[i], near_steps, is_wanted, nearest);
  }
}

template <class Wanted>
Nearest KeyLines::nearest(const Place& place, const Wanted& is_wanted) const {
  Nearest nearest;
  if (nodes_.empty()) return nearest;
  if (across_.size() <= 4)
    search<4>(point_at(place), is_wanted, nearest);
  else
    search<most_keys>(point_at(place), is_wanted, nearest);
  return nearest;
}

inline KeyLines::NearSteps::NearSteps(std::span<const float> steps, float along) : steps_(steps), along_(along) {
  std::size_t first = padding;  // the first step that is not below the point, without branches that depend on it
  for (std::size_t length = steps.size() - padding - 1; length > 0;) {
    const std::size_t half = (length + 1) / 2;
    first += steps[first + half - 1] < along ? half : 0;
    length -= half;
  }
  above_ = static_cast<std::uint32_t>(first);
  below_ = above_ - 1;
  find();
}

inline void KeyLines::NearSteps::find() {
  for (std::size_t i = found_; i < found_ + at_once; ++i) {
    const float down = along_ - steps_[below_];
    const float up = steps_[above_] - along_;
    const std::uint32_t is_up = up < down ? 1 : 0;
    const float nearer = std::min(up, down);
    distances_[i] = nearer * nearer;
    numbers_[i] = std::max(below_ + is_up * (above_ - below_), padding) - padding;
    above_ += is_up;
    below_ -= 1 - is_up;
  }
  found_ += at_once;
}

inline bool KeyLines::NearSteps::finds_more() {
  if (found_ + padding + 1 >= steps_.size()) return false;
  find();
  return true;
}

}  // namespace dfsweep::operators
