/// CodeColumns: the codes of every parameter of an estimator over the points of a block.
#pragma once

#include <array>
#include <cstdint>

#include "models/estimator.hpp"

namespace dfsweep {

/// A fixed parameter always reads the same 0.
template <std::size_t parameter_count>
class CodeColumns {
 public:
  /// Code of every parameter at a point.
  using Codes = std::array<std::uint32_t, parameter_count>;

  /// Pre: the columns of `points` outlive the object; their contents may change meanwhile.
  CodeColumns(const SweepValues& values, const PointColumns& points) {
    for (ParameterIndex p = 0; p < parameter_count; ++p) {
      const std::size_t column = values.parameters[p].column;
      if (column == SweepValues::fixed) continue;
      first_[p] = points.column(column).data();
      stride_[p] = 1;
    }
  }
  [[nodiscard]] std::uint32_t code(ParameterIndex p, std::size_t i) const { return first_[p][i * stride_[p]]; }
  [[nodiscard]] Codes codes(std::size_t i) const {
    Codes result{};
    for (ParameterIndex p = 0; p < parameter_count; ++p) result[p] = code(p, i);
    return result;
  }

 private:
  static constexpr std::uint32_t zero_ = 0;
  std::array<const std::uint32_t*, parameter_count> first_ = filled();
  std::array<std::size_t, parameter_count> stride_{};

  static std::array<const std::uint32_t*, parameter_count> filled() {
    std::array<const std::uint32_t*, parameter_count> result{};
    result.fill(&zero_);
    return result;
  }
};

}  // namespace dfsweep
