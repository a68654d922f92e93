/// TimeCurve: where a parabola through three points of a curve meets a line through 0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace dfsweep::queueing {

/// A point of the time that z take.
struct TimePoint {
  double z = 0.0;
  double time = 0.0;
};

class TimeCurve {
 public:
  /// Pre: three different z.
  TimeCurve(TimePoint a, TimePoint b, TimePoint c) : points_{a, b, c} {}

  /// The z = rate T(z) of the parabola T through the points, that which a rising rate moves up from 0; with the line
  /// through the first two points where there is none. With w = z - z0, and s and q the divided differences of T,
  ///
  ///     rate q w^2 - (1 - rate (s + q (z0 - z1))) w + rate T0 - z0 = 0
  ///
  /// Source: docs/models/queueing.md
  [[nodiscard]] double crossing(double rate) const {
    const auto& [a, b, c] = points_;
    const double slope = (b.time - a.time) / (b.z - a.z);
    const double bend = ((c.time - b.time) / (c.z - b.z) - slope) / (c.z - a.z);
    const double missing = rate * a.time - a.z;
    const double straight = 1.0 - rate * (slope + bend * (a.z - b.z));
    const double square = straight * straight - 4.0 * rate * bend * missing;
    if (!(square >= 0.0 && straight > 0.0)) return a.z + missing / (1.0 - rate * slope);
    return a.z + 2.0 * missing / (straight + std::sqrt(square));
  }
  /// Takes this point as the first one, instead of that which is farthest from it.
  void replace_farthest(const TimePoint& point) {
    const auto distance = [&](const TimePoint& other) { return std::abs(other.z - point.z); };
    if (distance(points_[0]) > distance(points_[2])) std::swap(points_[0], points_[2]);
    if (distance(points_[1]) > distance(points_[2])) std::swap(points_[1], points_[2]);
    points_[2] = points_[0];
    points_[0] = point;
    if (distance(points_[2]) < distance(points_[1])) std::swap(points_[1], points_[2]);
  }

 private:
  std::array<TimePoint, 3> points_;  ///< from the first replacement on, nearest to the newest first
};

}  // namespace dfsweep::queueing
