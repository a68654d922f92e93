/// Filters of a sweep; each is evaluated only over the sub-space of its axes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/sweep/filter.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// A filter as a function of codes of axes.
class AxisFilter {
 public:
  /// `order`: axes of the sweep in evaluation order. Throws UserError if the expression is malformed.
  AxisFilter(const SweepSpec& spec, const Filter& filter, const std::vector<std::size_t>& order);

  [[nodiscard]] const Filter& filter() const { return filter_; }
  /// Positions in `order` of the axes that the filter depends on, ascending.
  [[nodiscard]] const std::vector<std::size_t>& positions() const { return positions_; }
  /// `i` indexes positions().
  void set_code(std::size_t i, std::uint32_t code);
  [[nodiscard]] bool keeps() const { return expression_.keeps(); }

 private:
  struct Column {
    std::size_t variable = 0;
    std::vector<double> values;  ///< [code]
  };
  Filter filter_;
  FilterExpression expression_;
  std::vector<std::size_t> positions_;
  std::vector<std::vector<Column>> columns_;  ///< [index into positions_] variables that depend on this axis
};

}  // namespace dfsweep
