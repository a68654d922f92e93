/// TimeCurve: where a parabola through three points of a curve meets a line through 0.
#pragma once

#include <array>

#include "models/lanes.hpp"

namespace dfsweep::queueing {

/// A point of the curve: z requests, and the time T(z) in which z go through.
template <class Number>
struct TimePoint {
  Number z = 0.0;
  Number time = 0.0;  ///< s
};
template <class Number>
[[nodiscard]] TimePoint<Number> chosen_time(const MaskOf<Number>& condition, const TimePoint<Number>& a,
                                            const TimePoint<Number>& b) {
  return {choose(condition, a.z, b.z), choose(condition, a.time, b.time)};
}

template <class Number>
class TimeCurve {
 public:
  using Point = TimePoint<Number>;

  /// Pre: three different z.
  TimeCurve(const Point& a, const Point& b, const Point& c) : points_{a, b, c} {}

  /// The solution of z = rate T(z), rate in 1/s, where T is the parabola through the points: of its two roots the one
  /// that grows from 0 with the rate. If the parabola has no root, T is the line through the first two points. With
  /// w = z - z0, and s and q the first and second divided differences of T,
  ///
  ///     rate q w^2 - (1 - rate (s + q (z0 - z1))) w + rate T0 - z0 = 0
  ///
  /// Source: docs/models/queueing.md
  [[nodiscard]] Number crossing(const Number& rate) const {
    const auto& [a, b, c] = points_;
    const Number slope = (b.time - a.time) / (b.z - a.z);
    const Number bend = ((c.time - b.time) / (c.z - b.z) - slope) / (c.z - a.z);
    const Number missing = rate * a.time - a.z;
    const Number straight = 1.0 - rate * (slope + bend * (a.z - b.z));
    const Number square = straight * straight - 4.0 * rate * bend * missing;
    const MaskOf<Number> has_root = (square >= 0.0) & (straight > 0.0);
    Number way = 0.0;
    if (any(has_root)) way = 2.0 * missing / (straight + square_root(choose(has_root, square, Number(0.0))));
    if (any(!has_root)) way = choose(has_root, way, missing / (1.0 - rate * slope));
    return a.z + way;
  }
  /// Puts this point first and drops the one that is farthest from it.
  void replace_farthest(const Point& point) {
    const auto distance = [&](const Point& other) { return magnitude(other.z - point.z); };
    put_nearer_first(points_[0], points_[2], distance);
    put_nearer_first(points_[1], points_[2], distance);
    points_[2] = points_[0];
    points_[0] = point;
    put_nearer_first(points_[1], points_[2], distance);
  }

 private:
  template <class Distance>
  static void put_nearer_first(Point& first, Point& second, const Distance& distance) {
    const MaskOf<Number> are_swapped = distance(first) > distance(second);
    const Point nearer = chosen_time<Number>(are_swapped, second, first);
    second = chosen_time<Number>(are_swapped, first, second);
    first = nearer;
  }

  std::array<Point, 3> points_;  ///< from the first replacement on, nearest to the newest first
};

}  // namespace dfsweep::queueing
