/// LogSurface: a positive quantity over one to three keys, between points of a grid straight in the logarithms of all.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "models/expect.hpp"

namespace dfsweep::operators {

/// Points 2^(first + i step) - shift of a key.
struct LogAxis {
  double shift = 0.0;
  double first = 0.0;
  double step = 1.0;  ///< in doublings
  std::size_t count = 2;
  [[nodiscard]] double point(std::size_t i) const { return std::exp2(first + static_cast<double>(i) * step) - shift; }
};

template <std::size_t Axes>
using LogAxes = std::array<LogAxis, Axes>;

template <std::size_t Axes>
[[nodiscard]] constexpr std::size_t points_of(const LogAxes<Axes>& axes) {
  std::size_t count = 1;
  for (const LogAxis& axis : axes) count *= axis.count;
  return count;
}

/// The keys of a point of the grid; the last axis varies fastest.
template <std::size_t Axes>
[[nodiscard]] std::array<double, Axes> keys_at(const LogAxes<Axes>& axes, std::size_t point) {
  std::array<double, Axes> keys;
  for (std::size_t axis = Axes; axis-- > 0; point /= axes[axis].count)
    keys[axis] = axes[axis].point(point % axes[axis].count);
  return keys;
}

/// Raises values to the largest before them along each axis, so that more work never takes less time.
template <std::size_t Axes>
void never_fall(const LogAxes<Axes>& axes, std::vector<double>& values) {
  std::size_t stride = 1;
  for (std::size_t axis = Axes; axis-- > 0; stride *= axes[axis].count)
    for (std::size_t point = stride; point < values.size(); ++point)
      if (point / stride % axes[axis].count > 0) values[point] = std::max(values[point], values[point - stride]);
}

/// Below the grid the value of its edge; above it the last slope continues.
template <std::size_t Axes>
class LogSurface {
 public:
  /// `values`: [point], all > 0. Pre: every axis has two points at least.
  LogSurface(const LogAxes<Axes>& axes, const std::vector<double>& values) : axes_(axes) {
    DFSWEEP_EXPECT(values.size() == points_of(axes));
    for (const double value : values) logs_.push_back(static_cast<float>(std::log2(value)));
  }

  [[nodiscard]] double at(const std::array<double, Axes>& keys) const {
    std::array<double, Axes> fraction;
    std::size_t corner = 0;
    for (std::size_t axis = 0; axis < Axes; ++axis) {
      const LogAxis& a = axes_[axis];
      const double place = std::max(0.0, (std::log2(std::max(keys[axis], 0.0) + a.shift) - a.first) / a.step);
      const std::size_t index = std::min(static_cast<std::size_t>(std::min(place, 1e6)), a.count - 2);
      fraction[axis] = place - static_cast<double>(index);
      corner = corner * a.count + index;
    }
    return std::exp2(between<0>(corner, fraction));
  }

 private:
  /// The logarithm between the corners of a cell, straight along each axis from `Axis` on.
  template <std::size_t Axis>
  [[nodiscard]] double between(std::size_t corner, const std::array<double, Axes>& fraction) const {
    if constexpr (Axis == Axes) {
      return static_cast<double>(logs_[corner]);
    } else {
      std::size_t stride = 1;
      for (std::size_t axis = Axis + 1; axis < Axes; ++axis) stride *= axes_[axis].count;
      const double low = between<Axis + 1>(corner, fraction);
      const double high = between<Axis + 1>(corner + stride, fraction);
      return low + fraction[Axis] * (high - low);
    }
  }

  LogAxes<Axes> axes_;
  std::vector<float> logs_;
};

}  // namespace dfsweep::operators
