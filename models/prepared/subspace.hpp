/// Subspace: numbers the combinations of values of some parameters, so that results which depend only on them are
/// computed once and looked up at every point.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep {

/// Converts enumerators into parameter indices.
template <class Enumerators>
[[nodiscard]] std::vector<ParameterIndex> indices_of(const Enumerators& parameters) {
  std::vector<ParameterIndex> indices;
  for (const auto p : parameters) indices.push_back(index_of(p));
  return indices;
}

/// Mixed-radix number of a point over the distinct code columns of some parameters. Linked parameters, and all
/// parameters of a point list, share one column.
class Subspace {
 public:
  Subspace(const SweepValues& values, std::span<const ParameterIndex> parameters);
  /// `parameters`: enumerators of an estimator.
  template <class Enumerators>
  requires std::is_enum_v<std::ranges::range_value_t<Enumerators>> Subspace(const SweepValues& values,
                                                                            const Enumerators& parameters)
      : Subspace(values, indices_of(parameters)) {}

  /// Number of combinations; saturates at 2^64 - 1.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Number of the combination at point `i`. Pre: size() is not saturated.
  [[nodiscard]] std::uint64_t index(const PointColumns& points, std::size_t i) const {
    std::uint64_t index = 0;
    for (const Digit& digit : digits_) index += digit.stride * points.column(digit.column)[i];
    return index;
  }
  /// Fills `out` with the numbers of points `first`, `first` + 1, ... Constant columns, such as slow axes of a grid,
  /// cost almost nothing. Pre: size() < 2^32.
  void indices(const PointColumns& points, std::size_t first, std::span<std::uint32_t> out) const;
  /// Number of the combination at point `i`, with the parameters in `column` set to their first values.
  [[nodiscard]] std::uint64_t index_at_first(const PointColumns& points, std::size_t i, std::size_t column) const {
    std::uint64_t index = 0;
    for (const Digit& digit : digits_)
      if (digit.column != column) index += digit.stride * points.column(digit.column)[i];
    return index;
  }
  /// Code of `parameter`, which must belong to the subspace, in combination `index`; 0 where it is fixed.
  [[nodiscard]] std::uint32_t code(const SweepValues& values, ParameterIndex parameter, std::uint64_t index) const;

 private:
  struct Digit {
    std::size_t column;
    std::uint64_t stride;
    std::uint64_t size;
  };
  std::vector<Digit> digits_;
  std::uint64_t size_ = 1;
};

/// A subspace in which equal combinations of values share a number, such as lines of a point list that differ only in
/// other parameters. Numbers are dense, in the order of first appearance.
class DistinctSubspace {
 public:
  /// Pre: the subspace has at most 2^32 - 1 combinations. Linear in their count, constant time where no two are equal.
  DistinctSubspace(const SweepValues& values, std::span<const ParameterIndex> parameters);
  /// `parameters`: enumerators of an estimator.
  template <class Enumerators>
  requires std::is_enum_v<std::ranges::range_value_t<Enumerators>> DistinctSubspace(const SweepValues& values,
                                                                                    const Enumerators& parameters)
      : DistinctSubspace(values, indices_of(parameters)) {}

  [[nodiscard]] std::size_t size() const { return numbers_.empty() ? subspace_.size() : first_.size(); }
  [[nodiscard]] std::uint32_t number(const PointColumns& points, std::size_t i) const {
    const std::uint64_t index = subspace_.index(points, i);
    return numbers_.empty() ? static_cast<std::uint32_t>(index) : numbers_[index];
  }
  /// Fills `out` with the numbers of points `first`, `first` + 1, ...
  void numbers(const PointColumns& points, std::size_t first, std::span<std::uint32_t> out) const;
  /// Number of point `i` with the parameters in `column` set to their first values.
  [[nodiscard]] std::uint32_t number_at_first(const PointColumns& points, std::size_t i, std::size_t column) const {
    const std::uint64_t index = subspace_.index_at_first(points, i, column);
    return numbers_.empty() ? static_cast<std::uint32_t>(index) : numbers_[index];
  }
  /// Code of `parameter` in the first combination with this number.
  [[nodiscard]] std::uint32_t code(const SweepValues& values, ParameterIndex parameter, std::uint32_t number) const {
    return subspace_.code(values, parameter, numbers_.empty() ? number : first_[number]);
  }

 private:
  Subspace subspace_;
  std::vector<std::uint32_t> numbers_;  ///< [combination]; empty where all differ: the combination is its own number
  std::vector<std::uint64_t> first_;    ///< [number] first combination
};

/// For each value of a parameter, the first code with an equal value. NaN equals NaN; entries compare by identity.
[[nodiscard]] std::vector<std::uint32_t> first_equal_codes(const SweepValues::Parameter& parameter);

}  // namespace dfsweep
