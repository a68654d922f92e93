/// Kept: values that some parameters of a sweep decide, computed on first use and kept by their combination.
#pragma once

#include <array>
#include <cstdint>
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

  Kept(const SweepValues& values, std::span<const Parameter> parameters) {
    if (Subspace(values, parameters).size() > most_kept) return;
    space_.emplace(values, parameters);
    table_ = std::make_unique<LazyTable<Value>>(space_->size());
  }

  /// Combinations of `count` points from `first` on. Pre: count <= run.
  void number(const PointColumns& points, std::size_t first, std::size_t count, Numbers& numbers) const {
    if (table_) space_->numbers(points, first, std::span(numbers).first(count));
  }
  /// The value of a combination; `own` holds it where a sweep has too many to keep. `compute()` returns it.
  template <class Compute>
  const Value& at(std::uint32_t number, Value& own, Compute compute) const {
    return table_ ? table_->get(number, compute) : own = compute();
  }
  [[nodiscard]] bool keeps() const { return table_ != nullptr; }

 private:
  static constexpr std::uint64_t most_kept = 1 << 22;
  std::optional<DistinctSubspace> space_;
  std::unique_ptr<LazyTable<Value>> table_;
};

}  // namespace dfsweep::serving
