/// AxisCoder: from a value of an axis to its place in SubjectAxis::values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/report/reduction/subject.hpp"
#include "models/absent.hpp"

namespace dfsweep::report {

class AxisCoder {
 public:
  explicit AxisCoder(const SubjectAxis& axis);
  /// The code of the rest, or `no_code`, if the value is not on the axis.
  [[nodiscard]] std::uint32_t code(double value) {
    if (value == last_) return last_code_;
    last_ = value;
    return last_code_ = find(value);
  }
  static constexpr std::uint32_t no_code = 65535;

 private:
  [[nodiscard]] std::uint32_t find(double value) const;
  [[nodiscard]] std::uint32_t find_known(double value) const;

  std::span<const double> values_;
  std::uint32_t rest_ = no_code;         ///< of values that have no code of their own
  std::vector<std::uint16_t> by_value_;  ///< where the values are small whole numbers
  double last_ = absent;
  std::uint32_t last_code_ = no_code;
};

}  // namespace dfsweep::report
