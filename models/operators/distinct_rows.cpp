/// Sorting by keys makes the rows of a table independent of their order in files.
#include "models/operators/distinct_rows.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "models/statistics/random.hpp"

namespace dfsweep::operators {

namespace {

/// The keys of one part; the others are 0.
Keys part_of(Family family, const Keys& keys, KeyInfo::Part part) {
  Keys kept{};
  const std::span<const KeyInfo> infos = info_of(family).keys;
  for (std::size_t k = 0; k < infos.size(); ++k)
    if (infos[k].part == part) kept[k] = keys[k];
  return kept;
}

/// Indices of equal parts, in the order in which they occur.
std::vector<std::uint32_t> indices_of(Family family, const std::vector<Keys>& keys, KeyInfo::Part part) {
  std::map<Keys, std::uint32_t> seen;
  std::vector<std::uint32_t> indices;
  indices.reserve(keys.size());
  for (const Keys& one : keys) {
    const auto next = static_cast<std::uint32_t>(seen.size());
    indices.push_back(seen.emplace(part_of(family, one, part), next).first->second);
  }
  return indices;
}

}  // namespace

DistinctRows distinct_rows(const OperatorTable& table) {
  struct Row {
    Keys keys;
    double seconds;
    bool operator<(const Row& other) const { return keys != other.keys ? keys < other.keys : seconds < other.seconds; }
  };
  std::vector<Row> sorted(table.rows());
  for (std::size_t row = 0; row < sorted.size(); ++row)
    sorted[row] = {keys_of(table, row), static_cast<double>(table.seconds[row])};
  std::sort(sorted.begin(), sorted.end());
  DistinctRows rows;
  for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    double sum = 0.0;
    for (end = begin; end < sorted.size() && sorted[end].keys == sorted[begin].keys; ++end) sum += sorted[end].seconds;
    const Keys& keys = sorted[begin].keys;
    rows.keys.push_back(keys);
    rows.seconds.push_back(sum / static_cast<double>(end - begin));
    rows.places.push_back(place_of(table.family, keys));
  }
  rows.shapes = indices_of(table.family, rows.keys, KeyInfo::Part::shape);
  return rows;
}

std::vector<std::uint32_t> sizes_of(Family family, const DistinctRows& rows) {
  return indices_of(family, rows.keys, KeyInfo::Part::size);
}

std::vector<std::uint32_t> shuffled(std::size_t size) {
  std::vector<std::uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0U);
  const CounterRandom random(size);
  for (std::size_t i = size; i > 1; --i) std::swap(order[i - 1], order[random_below(random.at(i), i)]);
  return order;
}

}  // namespace dfsweep::operators
