/// AxisIndex: where a whole number lies between the nodes of an axis, looked up in a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dfsweep::inference {

/// Between node `cell` and the next one, that far on the way; at the last node the way is 0.
struct AxisPlace {
  std::uint32_t cell = 0;
  float way = 0.0f;
};

/// Numbers above this one are not looked up: every axis ends here at the latest.
inline constexpr double last_of_axes = 1048576.0;

/// A key as a number to look up: the whole part, or the largest number there is.
[[nodiscard]] std::uint32_t number_of(double key);

class AxisIndex {
 public:
  /// Linear between `nodes`. Pre: nodes ascending and distinct, at least one, not negative.
  static AxisIndex between(std::span<const double> nodes);
  /// Node k of [0, borders.size()] reaches from beyond border k - 1 up to border k itself; `first` and `last` are the
  /// ends of the axis. Pre: borders ascending and distinct; 0 <= first <= last.
  static AxisIndex steps(std::span<const double> borders, double first, double last);

  [[nodiscard]] std::uint32_t first() const { return first_; }  ///< least whole number within the nodes
  [[nodiscard]] std::uint32_t last() const { return first_ + static_cast<std::uint32_t>(places_.size()) - 1; }
  [[nodiscard]] bool covers(std::uint32_t number) const { return number - first_ < places_.size(); }
  /// Pre: covers(number).
  [[nodiscard]] AxisPlace at(std::uint32_t number) const { return places_[number - first_]; }
  /// The covered number next to `number`.
  [[nodiscard]] std::uint32_t clamped(std::uint32_t number) const {
    return number < first_ ? first_ : covers(number) ? number : last();
  }

 private:
  AxisIndex(double first, double last);
  std::uint32_t first_ = 0;
  std::vector<AxisPlace> places_;  ///< [number - first_]
};

}  // namespace dfsweep::inference
