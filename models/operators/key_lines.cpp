/// Building lines and their tree, and searches by lists of near lines.
#include "models/operators/key_lines.hpp"

#include <cmath>
#include <numeric>

namespace dfsweep::operators {

namespace {

/// Lines that a line lists as near, and lines of a table that has such lists.
constexpr std::size_t most_listed = 32;
constexpr std::size_t most_lines_with_lists = 4096;

constexpr auto any_row = [](std::uint32_t) { return true; };

/// The different coordinates of an axis, ascending.
std::vector<float> steps_of(std::span<const Place> places, std::size_t axis) {
  std::vector<float> steps;
  for (const Place& place : places) steps.push_back(place[axis]);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

/// How many places there are when an axis is left out.
std::size_t lines_along(std::span<const Place> places, std::size_t axis) {
  std::vector<Place> lines(places.begin(), places.end());
  for (Place& line : lines) line[axis] = 0.0F;
  std::sort(lines.begin(), lines.end());
  return static_cast<std::size_t>(std::unique(lines.begin(), lines.end()) - lines.begin());
}

/// Where to cut lines that are sorted along an axis: between two different coordinates, as near to the middle as can
/// be. Pre: the first and the last differ.
template <class Coordinate>
std::uint32_t cut_between(std::uint32_t begin, std::uint32_t end, const Coordinate& coordinate) {
  const std::uint32_t middle = begin + (end - begin) / 2;
  for (std::uint32_t away = 0;; ++away) {
    if (middle + away < end && coordinate(middle + away) != coordinate(middle + away - 1)) return middle + away;
    if (middle > begin + away && coordinate(middle - away) != coordinate(middle - away - 1)) return middle - away;
  }
}

}  // namespace

Place place_of(Family family, const Keys& keys) {
  const std::span<const KeyInfo> infos = info_of(family).keys;
  Place place{};
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const double key = infos[i].range == KeyInfo::Range::from_zero ? 1.0 + keys[i] : keys[i];
    place[i] = static_cast<float>(infos[i].weight * std::log2(key));
  }
  return place;
}

KeyLines::KeyLines(std::span<const Place> places) {
  if (places.empty()) return;
  first_ = places[0];
  choose_axes(places);
  collect_lines(places);
  list_near_lines();
}

/// Lines along the axis that needs the fewest, if at least a quarter of their steps were measured.
void KeyLines::choose_axes(std::span<const Place> places) {
  std::size_t fewest = places.size();
  std::vector<std::vector<float>> steps;
  for (std::size_t axis = 0; axis < most_keys; ++axis) {
    steps.push_back(steps_of(places, axis));
    const std::size_t count = steps[axis].size();
    if (count == 1 || count > most_steps) continue;
    const std::size_t lines = lines_along(places, axis);
    if (lines >= fewest || lines * count > 4 * places.size()) continue;
    fewest = lines;
    line_axis_ = axis;
  }
  for (std::size_t axis = 0; axis < most_keys; ++axis)
    if (axis != line_axis_) (steps[axis].size() > 1 ? across_ : beside_).push_back(static_cast<std::uint8_t>(axis));
  constexpr float infinite = std::numeric_limits<float>::infinity();
  steps_ = line_axis_ < most_keys ? steps[line_axis_] : std::vector<float>{0.0F};
  steps_.insert(steps_.begin(), padding, -infinite);
  steps_.push_back(infinite);
}

void KeyLines::collect_lines(std::span<const Place> places) {
  std::vector<Point> points;
  for (const Place& place : places) points.push_back(point_at(place));
  std::vector<std::uint32_t> sorted(places.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
  std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (points[a].across != points[b].across) return points[a].across < points[b].across;
    return points[a].along != points[b].along ? points[a].along < points[b].along : a < b;
  });
  std::vector<std::vector<std::uint32_t>> rows;  // [line][step]
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Point& point = points[sorted[i]];
    const auto step =
        static_cast<std::size_t>(std::lower_bound(steps_.begin(), steps_.end(), point.along) - steps_.begin()) -
        padding;
    // Equal places, whose keys differ by less than floats can tell, are on lines of their own.
    if (i == 0 || points[sorted[i - 1]].across != point.across || rows.back()[step] != absent_row) {
      rows.emplace_back(step_count(), absent_row);
      lines_.push_back(point.across);
    }
    rows.back()[step] = sorted[i];
  }
  std::vector<std::uint32_t> order(lines_.size());
  std::iota(order.begin(), order.end(), 0U);
  nodes_.reserve(order.size() / 2 + 1);
  build(order, 0, static_cast<std::uint32_t>(order.size()));
  std::vector<Place> lines;
  for (const std::uint32_t line : order) {
    lines.push_back(lines_[line]);
    rows_.insert(rows_.end(), rows[line].begin(), rows[line].end());
  }
  lines_ = std::move(lines);
}

/// Each part is halved along its widest axis.
std::uint32_t KeyLines::build(std::span<std::uint32_t> order, std::uint32_t begin, std::uint32_t end) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({0.0F, most_keys, begin, end, static_cast<std::uint32_t>(leaves_.size())});
  Place low = lines_[order[begin]];
  Place high = low;
  for (const std::uint32_t line : order.subspan(begin, end - begin))
    for (std::size_t axis = 0; axis < most_keys; ++axis) {
      low[axis] = std::min(low[axis], lines_[line][axis]);
      high[axis] = std::max(high[axis], lines_[line][axis]);
    }
  std::uint32_t widest = 0;
  for (std::uint32_t axis = 1; axis < most_keys; ++axis)
    if (high[axis] - low[axis] > high[widest] - low[widest]) widest = axis;
  if (end - begin <= leaf_lines) {
    Leaf& leaf = leaves_.emplace_back();
    for (std::size_t axis = 0; axis < most_keys; ++axis) {
      leaf[axis].fill(std::numeric_limits<float>::infinity());
      for (std::uint32_t i = begin; i < end; ++i) leaf[axis][i - begin] = lines_[order[i]][axis];
    }
    return index;
  }
  const auto coordinate = [&](std::uint32_t at) { return lines_[order[at]][widest]; };
  std::sort(order.begin() + begin, order.begin() + end, [&](std::uint32_t a, std::uint32_t b) {
    return lines_[a][widest] != lines_[b][widest] ? lines_[a][widest] < lines_[b][widest] : a < b;
  });
  // More equal lines than a leaf holds are cut anywhere.
  const bool differs = high[widest] > low[widest];
  const std::uint32_t cut = differs ? cut_between(begin, end, coordinate) : begin + (end - begin) / 2;
  const float split = 0.5F * (coordinate(cut - 1) + coordinate(cut));
  build(order, begin, cut);
  const std::uint32_t right = build(order, cut, end);
  nodes_[index] = {split, widest, begin, end, right};
  return index;
}

void KeyLines::list_near_lines() {
  if (lines_.size() > most_lines_with_lists) return;
  listed_ = std::min(most_listed, lines_.size());
  std::vector<NearLine> all(lines_.size());
  const auto is_nearer = [](const NearLine& a, const NearLine& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.line < b.line;
  };
  for (const Place& line : lines_) {
    for (const Node& node : nodes_) {
      if (node.axis < most_keys) continue;
      const LeafDistances sums = distances<most_keys>(leaves_[node.right], line, 0.0F);
      for (std::uint32_t i = node.begin; i < node.end; ++i) all[i] = {sums[i - node.begin], i};
    }
    const auto listed = all.begin() + static_cast<std::ptrdiff_t>(listed_);
    std::nth_element(all.begin(), listed - 1, all.end(), is_nearer);
    std::sort(all.begin(), listed, is_nearer);
    for (auto one = all.begin(); one != listed; ++one) near_lines_.push_back({std::sqrt(one->distance), one->line});
  }
}

KeyLines::Point KeyLines::point_at(const Place& place) const {
  Point point;
  for (std::size_t i = 0; i < across_.size(); ++i) point.across[i] = place[across_[i]];
  for (const std::uint8_t axis : beside_) {
    const float difference = place[axis] - first_[axis];
    point.beside += difference * difference;
  }
  if (line_axis_ < most_keys) point.along = place[line_axis_];
  return point;
}

template <std::size_t Axes>
KeyLines::NearLine KeyLines::near_line(const Place& across) const {
  std::uint32_t at = 0;
  while (nodes_[at].axis < most_keys) at = across[nodes_[at].axis] < nodes_[at].split ? at + 1 : nodes_[at].right;
  const LeafDistances sums = distances<Axes>(leaves_[nodes_[at].right], across, 0.0F);
  std::uint64_t nearest = std::numeric_limits<std::uint64_t>::max();
  for (std::uint32_t i = 0; i < leaf_lines; ++i)
    nearest = std::min(nearest, std::uint64_t{std::bit_cast<std::uint32_t>(sums[i])} << 32U | (nodes_[at].begin + i));
  return {std::sqrt(std::bit_cast<float>(static_cast<std::uint32_t>(nearest >> 32U))),
          static_cast<std::uint32_t>(nearest)};
}

/// A line at the distance l from one that is c away from the point is at least l - c away.
template <std::size_t Axes>
Nearest KeyLines::nearest_by_lists(const Point& point) const {
  NearSteps near_steps(steps_, point.along);
  const NearLine centre = near_line<Axes>(point.across);
  Nearest nearest;
  for (const NearLine& one : std::span(near_lines_).subspan(centre.line * listed_, listed_)) {
    const float least = std::max(surely * one.distance - centre.distance / surely, 0.0F);
    if (!nearest.takes(surely * (least * least + point.beside))) return nearest;
    float distance = point.beside;
    for (std::size_t axis = 0; axis < Axes; ++axis) {
      const float difference = lines_[one.line][axis] - point.across[axis];
      distance += difference * difference;
    }
    walk(one.line, distance, near_steps, any_row, nearest);
  }
  if (listed_ == lines_.size()) return nearest;
  Nearest complete(nearest.farthest());
  search<Axes>(point, any_row, complete);
  return complete;
}

Nearest KeyLines::nearest(const Place& place) const {
  if (listed_ == 0) return nearest(place, any_row);
  const Point point = point_at(place);
  if (across_.size() <= 2) return nearest_by_lists<2>(point);
  return across_.size() <= 4 ? nearest_by_lists<4>(point) : nearest_by_lists<most_keys>(point);
}

}  // namespace dfsweep::operators
