/// TimeCurve: where a parabola through three points of a curve meets a line through 0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace dfsweep::queueing {

/// A point of the curve: z requests, and the time T(z) in which z go through.
struct TimePoint {
  double z = 0.0;
  double time = 0.0;  ///< s
};

class TimeCurve {
 public:
  /// Pre: three different z.
  TimeCurve(TimePoint a, TimePoint b, TimePoint c) : points_{a, b, c} {}

  /// The solution of z = rate T(z), rate in 1/s, where T is the parabola through the points: of its two roots the one
  /// that grows from 0 with the rate. If the parabola has no root, T is the line through the first two points. With
  /// w = z - z0, and s and q the first and second divided differences of T,
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
  /// Puts this point first and drops the one that is farthest from it.
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
