/// The order in which a search ranks its candidates, and the few best of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep {

/// Which of the candidates with equal values to four digits a search keeps.
enum class SearchTies : std::uint8_t { all, one };

/// The value rounded to four significant decimal digits, the nearest double to them. Monotone.
[[nodiscard]] double four_digits(double value);

/// Total order of candidates, best first: value, then point.
struct SearchOrder {
  Better direction = Better::lower;
  SearchTies ties = SearchTies::all;

  [[nodiscard]] bool comes_before(double value, std::uint64_t point, double other, std::uint64_t other_point) const {
    if (value != other) return direction == Better::higher ? value > other : value < other;
    return point < other_point;
  }
  /// Whether only the better one of two candidates with these values is kept.
  [[nodiscard]] bool are_tied(double value, double other) const {
    return ties == SearchTies::one && four_digits(value) == four_digits(other);
  }
  bool operator==(const SearchOrder&) const = default;
};

/// Adds an item to the `top` best ones, best first, of which no two are tied. The result does not depend on the order
/// in which items are added, because ties are neighbours in a total order. Pre: comes_before is total.
template <class Item, class Before, class Tied>
void keep_best(std::vector<Item>& best, std::size_t top, Item item, const Before& comes_before, const Tied& are_tied) {
  if (best.size() == top && !comes_before(item, best.back())) return;
  const auto place =
      std::partition_point(best.begin(), best.end(), [&](const Item& other) { return !comes_before(item, other); });
  if (place != best.begin() && are_tied(*(place - 1), item)) return;
  const auto added = best.insert(place, std::move(item));
  if (added + 1 != best.end() && are_tied(*added, *(added + 1)))
    best.erase(added + 1);
  else if (best.size() > top)
    best.pop_back();
}

}  // namespace dfsweep
