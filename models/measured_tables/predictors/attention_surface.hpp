/// AttentionSurface: time over two whole numbers, as a grid of nodes with extrapolation by a trend; used for both kinds
/// of attention and both methods of prediction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/measured_tables/predictors/axis_index.hpp"
#include "models/measured_tables/predictors/prediction.hpp"
#include "models/measured_tables/predictors/trend.hpp"

namespace dfsweep {

/// One measurement. Decode: u is the batch, v the context. Prefill: u is the context, v the chunk.
struct SurfacePoint {
  double u = 0.0;
  double v = 0.0;
  double seconds = 0.0;
};

/// Prior knowledge about a kind of attention.
struct SurfaceForm {
  TrendTerms (*terms)(double u, double v);                ///< terms of the trend of the time
  std::array<double, 2> (*position)(double u, double v);  ///< coordinates in which nearby keys behave similarly
  double (*forest_feature)(double v);                     ///< feature of v for forests
  double (*last_of_feature)(double feature);              ///< largest whole v with forest_feature(v) <= feature
};

/// Values at the nodes of a grid.
template <class Value>
struct NodeGrid {
  std::size_t u_count = 0;
  std::size_t v_count = 0;
  std::vector<Value> values;  ///< [u][v]
  [[nodiscard]] const Value& at(std::size_t u, std::size_t v) const { return values[u * v_count + v]; }
  [[nodiscard]] Value& at(std::size_t u, std::size_t v) { return values[u * v_count + v]; }
};

/// Values on a grid of two axes with bilinear interpolation.
class ValueGrid {
 public:
  /// Pre: the axes have the nodes of the grid, and values are finite.
  ValueGrid(AxisIndex u, AxisIndex v, const NodeGrid<double>& nodes);
  [[nodiscard]] const AxisIndex& u() const { return u_; }
  [[nodiscard]] const AxisIndex& v() const { return v_; }
  /// Pre: both axes cover the number.
  [[nodiscard]] double at(std::uint32_t u, std::uint32_t v) const {
    const AxisPlace i = u_.at(u), j = v_.at(v);
    const double* corner = values_.data() + i.cell * stride_ + j.cell;
    const double x = i.way, y = j.way;
    const double here = (1.0 - y) * corner[0] + y * corner[1];
    const double next = (1.0 - y) * corner[stride_] + y * corner[stride_ + 1];
    return (1.0 - x) * here + x * next;
  }

 private:
  AxisIndex u_, v_;
  std::size_t stride_;
  std::vector<double> values_;  ///< [u][v], last row and column duplicated so that every cell has four corners
};

/// Coverage of predictions, from the measured keys.
class KeyCoverage {
 public:
  explicit KeyCoverage(std::span<const SurfacePoint> points);
  [[nodiscard]] Coverage at(std::uint32_t u, std::uint32_t v) const;
  /// Coverage of the node with these ranks among the distinct u and v. A node is within the measured range if one
  /// measured key is at or below it and another at or above it, in both directions.
  [[nodiscard]] Coverage node(std::size_t u, std::size_t v) const { return nodes_.at(u, v); }

 private:
  AxisIndex u_, v_;
  NodeGrid<Coverage> nodes_;
};

class AttentionSurface {
 public:
  AttentionSurface(ValueGrid grid, KeyCoverage coverage, const SurfaceForm& form, const TrendTerms& trend,
                   const std::array<double, 4>& relative_error);

  /// Outside the grid: the value at the border times trend / trend at the border.
  [[nodiscard]] double seconds(std::uint32_t u, std::uint32_t v) const {
    return grid_.u().covers(u) && grid_.v().covers(v) ? grid_.at(u, v) : beyond(u, v);
  }
  [[nodiscard]] Coverage coverage(std::uint32_t u, std::uint32_t v) const { return coverage_.at(u, v); }
  /// Expected relative error of predictions with this coverage.
  [[nodiscard]] double relative_error(Coverage coverage) const {
    return relative_error_[static_cast<std::size_t>(coverage)];
  }
  [[nodiscard]] Prediction predict(std::uint32_t u, std::uint32_t v) const;
  /// Predicts all keys; the four spans have equal length.
  void predict(std::span<const std::uint32_t> u, std::span<const std::uint32_t> v, std::span<double> seconds,
               std::span<Coverage> coverage) const;

 private:
  double beyond(std::uint32_t u, std::uint32_t v) const;
  ValueGrid grid_;
  KeyCoverage coverage_;
  SurfaceForm form_;
  TrendTerms trend_;
  std::array<double, 4> relative_error_;
};

/// Distinct values of a coordinate, ascending.
std::vector<double> distinct_values(std::span<const SurfacePoint> points, double SurfacePoint::*coordinate);

/// Rank of a value among ascending distinct ones. Pre: it is one of them.
std::size_t rank_of(std::span<const double> values, double value);

/// The trend at a key, with a positive lower limit so that it can be a divisor.
double positive_trend(const SurfaceForm& form, const TrendTerms& trend, double u, double v);

}  // namespace dfsweep
