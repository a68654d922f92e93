/// Kept: values that some parameters of a sweep decide, computed on first use and kept by their combination.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "models/prepared/lazy_table.hpp"
#include "models/prepared/subspace.hpp"
#include "models/serving/points/published.hpp"

namespace dfsweep::serving {

/// The numbers of the combinations of some parameters; nothing where they are too many.
[[nodiscard]] inline std::optional<DistinctSubspace> numbered(const SweepValues& values,
                                                              std::span<const Parameter> parameters) {
  if (Subspace(values, parameters).size() > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return DistinctSubspace(values, parameters);
}

template <class Value>
class Kept {
 public:
  /// Points whose combinations are looked up at once.
  static constexpr std::size_t run = 512;
  using Numbers = std::array<std::uint32_t, run>;

  /// The last values, where a sweep has too many combinations to keep all of them: neighbouring points take turns
  /// between a few, such as the machines of an axis that varies fastest.
  class Last {
   public:
    Last() : slots_(slots) {}

   private:
    friend class Kept;
    static constexpr std::size_t slots = 16;
    struct Slot {
      std::optional<std::uint32_t> number;  ///< combination of `value`; nothing: no value yet, or one without a number
      Value value;
    };
    Slot& slot(std::uint32_t number) { return slots_[number % slots]; }
    [[nodiscard]] const Slot& slot(std::uint32_t number) const { return slots_[number % slots]; }
    std::vector<Slot> slots_;
  };

  /// `value_bytes`: that a value takes, with what it points to.
  Kept(const SweepValues& values, std::span<const Parameter> parameters, std::size_t value_bytes = sizeof(Value))
      : space_(numbered(values, parameters)) {
    if (space_ && space_->size() <= most_bytes / value_bytes)
      table_ = std::make_unique<LazyTable<Value>>(space_->size());
  }

  /// Combinations of `count` points from `first` on. Pre: count <= run.
  void number(const PointColumns& points, std::size_t first, std::size_t count, Numbers& numbers) const {
    if (space_) space_->numbers(points, first, std::span(numbers).first(count));
  }
  /// The combination of one point.
  [[nodiscard]] std::uint32_t number(const PointColumns& points, std::size_t i) const {
    return space_ ? space_->number(points, i) : 0;
  }
  /// Whether combinations have different numbers.
  [[nodiscard]] bool has_numbers() const { return space_.has_value(); }
  /// Whether values stay where they are.
  [[nodiscard]] bool keeps_all() const { return table_ != nullptr; }
  /// Whether at() computes a value into `last`, at a place where another one may have been.
  [[nodiscard]] bool replaces(std::uint32_t number, const Last& last) const {
    return !table_ && (!space_ || last.slot(number).number != number);
  }
  /// The value of a combination; `compute()` returns it. A value in `last` is valid until at() replaces one.
  template <class Compute>
  const Value& at(std::uint32_t number, Last& last, Compute compute) const {
    if (table_) return table_->get(number, compute);
    typename Last::Slot& slot = last.slot(number);
    if (replaces(number, last)) {
      slot.value = compute();
      slot.number = space_ ? std::optional(number) : std::nullopt;
    }
    return slot.value;
  }

 private:
  static constexpr std::uint64_t most_bytes = 256 << 20;
  std::optional<DistinctSubspace> space_;
  std::unique_ptr<LazyTable<Value>> table_;
};

}  // namespace dfsweep::serving
