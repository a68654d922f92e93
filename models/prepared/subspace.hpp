/// Subspace: the combinations of values of some parameters of a sweep, numbered, so that what depends on them alone is
/// computed once and looked up by number at every point.
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

/// The indices of parameters that are given by enumerators.
template <class Enumerators>
[[nodiscard]] std::vector<ParameterIndex> indices_of(const Enumerators& parameters) {
  std::vector<ParameterIndex> indices;
  for (const auto p : parameters) indices.push_back(index_of(p));
  return indices;
}

/// Mixed-radix number of a point over the distinct code columns of some parameters: linked parameters, and all those of
/// a point list, share a column, which counts once.
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
  /// Combination of point `i`. Pre: size() did not saturate.
  [[nodiscard]] std::uint64_t index(const PointColumns& points, std::size_t i) const {
    std::uint64_t index = 0;
    for (const Digit& digit : digits_) index += digit.stride * points.column(digit.column)[i];
    return index;
  }
  /// Combinations of points from `first` on, as many as `out` holds. Columns that do not vary among them, as the slow
  /// axes of a grid, cost next to nothing. Pre: size() < 2^32.
  void indices(const PointColumns& points, std::size_t first, std::span<std::uint32_t> out) const;
  /// Combination of point `i` but for the parameters in `column`, which have their first values.
  [[nodiscard]] std::uint64_t index_at_first(const PointColumns& points, std::size_t i, std::size_t column) const {
    std::uint64_t index = 0;
    for (const Digit& digit : digits_)
      if (digit.column != column) index += digit.stride * points.column(digit.column)[i];
    return index;
  }
  /// Code of `parameter` (one of those given) in combination `index`; 0 where it is fixed.
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

/// A subspace whose equal combinations of values are numbered alike: lines of a point list that differ elsewhere share
/// a number. Numbers are dense, in the order of first appearance.
class DistinctSubspace {
 public:
  /// Pre: the subspace has at most 2^32 - 1 combinations. Costs a step for each of them, unless no two are equal.
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
  /// Numbers of points from `first` on, as many as `out` holds.
  void numbers(const PointColumns& points, std::size_t first, std::span<std::uint32_t> out) const;
  /// Number of point `i` but for the parameters in `column`, which have their first values.
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
  std::vector<std::uint32_t> numbers_;  ///< [combination]; empty where all differ and number themselves
  std::vector<std::uint64_t> first_;    ///< [number] first combination
};

/// For every value of a parameter the first code with an equal value. NaN equals NaN; entries are equal by identity.
[[nodiscard]] std::vector<std::uint32_t> first_equal_codes(const SweepValues::Parameter& parameter);

}  // namespace dfsweep
