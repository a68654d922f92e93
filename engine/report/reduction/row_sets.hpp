/// Sets of a few rows out of many: the best of a metric, and a uniform sample. Both are the same in any order of
/// offers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace dfsweep::report {

/// The `size` rows with the least keys; equal keys: the lowest rows.
template <class Key>
class LeastRows {
 public:
  using Item = std::pair<Key, std::uint64_t>;
  explicit LeastRows(std::size_t size) : size_(size) {}

  /// No row with a higher key can come in any more.
  [[nodiscard]] Key limit() const { return limit_; }
  /// Pre: key is not NaN.
  void offer(Key key, std::uint64_t row) {
    if (key > limit_) return;
    items_.push_back({key, row});
    if (items_.size() >= 2 * size_ + slack) trim();
  }
  void join(const LeastRows& other) {
    for (const auto& [key, row] : other.items_) offer(key, row);
  }
  /// Forgets the rows; those with a key above `limit` need not be kept.
  void restart(Key limit) {
    items_.clear();
    limit_ = limit;
  }
  /// Ascending by key.
  [[nodiscard]] std::vector<Item> sorted() const {
    std::vector<Item> all = items_;
    std::sort(all.begin(), all.end());
    if (all.size() > size_) all.resize(size_);
    return all;
  }

 private:
  static constexpr std::size_t slack = 64;

  void trim() {
    const auto middle = items_.begin() + static_cast<std::ptrdiff_t>(size_);
    std::nth_element(items_.begin(), middle, items_.end());
    items_.resize(size_);
    limit_ = std::max_element(items_.begin(), items_.end())->first;
  }

  std::size_t size_;
  Key limit_ =
      std::numeric_limits<Key>::has_infinity ? std::numeric_limits<Key>::infinity() : std::numeric_limits<Key>::max();
  std::vector<Item> items_;
};

using TopRows = LeastRows<double>;             ///< keys: costs
using SampledRows = LeastRows<std::uint64_t>;  ///< keys: hashes of points

}  // namespace dfsweep::report
