#include "engine/report/reduction/axis_coder.hpp"

#include <algorithm>

namespace dfsweep::report {

AxisCoder::AxisCoder(const SubjectAxis& axis)
    : values_(axis.values), rest_(axis.has_rest ? static_cast<std::uint32_t>(axis.values.size()) : no_code) {
  constexpr double small = 65536.0;
  const bool are_small = std::all_of(values_.begin(), values_.end(), [](double value) {
    return value >= 0.0 && value < small && value == static_cast<double>(static_cast<std::uint32_t>(value));
  });
  if (!are_small || values_.empty()) return;
  by_value_.resize(static_cast<std::size_t>(values_.back()) + 1, no_code);
  for (std::size_t code = 0; code < values_.size(); ++code)
    by_value_[static_cast<std::size_t>(values_[code])] = static_cast<std::uint16_t>(code);
}

std::uint32_t AxisCoder::find(double value) const {
  const std::uint32_t known = find_known(value);
  return known == no_code && is_given(value) ? rest_ : known;
}

std::uint32_t AxisCoder::find_known(double value) const {
  if (!by_value_.empty() && value >= 0.0 && value < static_cast<double>(by_value_.size())) {
    const auto place = static_cast<std::size_t>(value);
    return static_cast<double>(place) == value ? by_value_[place] : no_code;
  }
  const auto found = std::lower_bound(values_.begin(), values_.end(), value);
  return found != values_.end() && *found == value ? static_cast<std::uint32_t>(found - values_.begin()) : no_code;
}

}  // namespace dfsweep::report
