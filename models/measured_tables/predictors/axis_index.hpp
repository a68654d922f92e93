/// AxisIndex: lookup table for the position of a whole number between the nodes of an axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dfsweep {

/// Position between node `cell` and the next node, as a share of the distance; 0 at the last node.
struct AxisPlace {
  std::uint32_t cell = 0;
  float way = 0.0f;
};

/// Upper limit of all axes.
inline constexpr double last_of_axes = 1048576.0;

/// Converts a key for lookup: its whole part, saturated.
[[nodiscard]] std::uint32_t number_of(double key);

class AxisIndex {
 public:
  /// Linear interpolation between `nodes`. Pre: nodes ascending and distinct, at least one, not negative.
  static AxisIndex between(std::span<const double> nodes);
  /// Step function: node k of [0, borders.size()] covers the interval (border k - 1, border k]; `first` and `last` are
  /// the ends of the axis. Pre: borders ascending and distinct; 0 <= first <= last.
  static AxisIndex steps(std::span<const double> borders, double first, double last);

  [[nodiscard]] std::uint32_t first() const { return first_; }  ///< least whole number within the nodes
  [[nodiscard]] std::uint32_t last() const { return first_ + static_cast<std::uint32_t>(places_.size()) - 1; }
  [[nodiscard]] bool covers(std::uint32_t number) const { return number - first_ < places_.size(); }
  /// Pre: covers(number).
  [[nodiscard]] AxisPlace at(std::uint32_t number) const { return places_[number - first_]; }
  /// The covered number nearest to `number`.
  [[nodiscard]] std::uint32_t clamped(std::uint32_t number) const {
    return number < first_ ? first_ : covers(number) ? number : last();
  }

 private:
  AxisIndex(double first, double last);
  std::uint32_t first_ = 0;
  std::vector<AxisPlace> places_;  ///< [number - first_]
};

}  // namespace dfsweep
