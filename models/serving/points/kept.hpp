/// Kept: values that some parameters of a sweep decide, computed on first use and kept by their combination.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "models/prepared/lazy_table.hpp"
#include "models/prepared/subspace.hpp"
#include "models/serving/points/published.hpp"

namespace dfsweep::serving {

template <class Value>
class Kept {
 public:
  /// Points whose combinations are looked up at once.
  static constexpr std::size_t run = 512;
  using Numbers = std::array<std::uint32_t, run>;

  /// The last value, where a sweep has too many combinations to keep all of them.
  struct Last {
    std::optional<std::uint32_t> number;  ///< combination of `value`; nothing: no value yet, or one without a number
    Value value;
  };

  Kept(const SweepValues& values, std::span<const Parameter> parameters) {
    const std::uint64_t size = Subspace(values, parameters).size();
    if (size > std::numeric_limits<std::uint32_t>::max()) return;
    space_.emplace(values, parameters);
    if (space_->size() <= most_kept) table_ = std::make_unique<LazyTable<Value>>(space_->size());
  }

  /// Combinations of `count` points from `first` on. Pre: count <= run.
  void number(const PointColumns& points, std::size_t first, std::size_t count, Numbers& numbers) const {
    if (space_) space_->numbers(points, first, std::span(numbers).first(count));
  }
  /// Whether at() replaces what `last` holds.
  [[nodiscard]] bool replaces(std::uint32_t number, const Last& last) const {
    return !table_ && (!space_ || last.number != number);
  }
  /// The value of a combination; `compute()` returns it. A value in `last` is valid until the next call.
  template <class Compute>
  const Value& at(std::uint32_t number, Last& last, Compute compute) const {
    if (table_) return table_->get(number, compute);
    if (replaces(number, last)) {
      last.value = compute();
      last.number = space_ ? std::optional(number) : std::nullopt;
    }
    return last.value;
  }

 private:
  static constexpr std::uint64_t most_bytes = 256 << 20;
  static constexpr std::uint64_t most_kept = most_bytes / sizeof(Value);
  std::optional<DistinctSubspace> space_;
  std::unique_ptr<LazyTable<Value>> table_;
};

}  // namespace dfsweep::serving
