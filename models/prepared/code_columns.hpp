/// CodeColumns: the codes of every parameter of an estimator over the points of a block.
#pragma once

#include <cstdint>

#include "models/enum_array.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

/// A fixed parameter reads a constant 0. `Parameter` is the enumeration of the estimator's parameters.
template <class Parameter>
class CodeColumns {
 public:
  /// Code of every parameter at a point.
  using Codes = EnumArray<Parameter, std::uint32_t>;

  /// Pre: the columns of `points` outlive the object; their codes may change.
  CodeColumns(const SweepValues& values, const PointColumns& points) {
    first_.elements.fill(&zero_);
    for (const Parameter p : all_of<Parameter>) {
      const std::size_t column = values[p].column;
      if (column == SweepValues::fixed) continue;
      first_[p] = points.column(column).data();
      stride_[p] = 1;
    }
  }
  [[nodiscard]] std::uint32_t code(Parameter p, std::size_t i) const { return first_[p][i * stride_[p]]; }
  [[nodiscard]] Codes codes(std::size_t i) const {
    Codes result;
    for (const Parameter p : all_of<Parameter>) result[p] = code(p, i);
    return result;
  }

 private:
  static constexpr std::uint32_t zero_ = 0;
  EnumArray<Parameter, const std::uint32_t*> first_;
  EnumArray<Parameter, std::size_t> stride_;
};

}  // namespace dfsweep
