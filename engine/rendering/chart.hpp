/// Charts as SVG: lines and dots over two axes, bars, heat maps. Self-contained, without scripts; the same chart always
/// gives the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dfsweep {

/// The quantity of an axis, in a unit of the dataset ("s", "byte s-1", "1").
struct ChartQuantity {
  std::string name;
  std::string unit;
};

struct ChartPoint {
  double x = 0.0;
  double y = 0.0;
};

struct ChartSeries {
  enum class Mark : std::uint8_t {
    dots,
    line,          ///< dots, connected in order of x
    steps_of_low,  ///< dots, connected by steps: the Pareto front if a low x is better
    steps_of_high,
    cloud,  ///< small light dots behind the other series
    guide   ///< a thin grey line behind the other series, without dots
  };
  std::string name;  ///< text in the legend; empty: not in the legend
  Mark mark = Mark::dots;
  std::vector<ChartPoint> points;  ///< points that are not finite are ignored
};

/// An axis is logarithmic if its values are positive and span more than a factor of 20.
struct LineChart {
  std::string title;
  ChartQuantity x;
  ChartQuantity y;
  std::vector<ChartSeries> series;
};
[[nodiscard]] std::string line_chart_svg(const LineChart& chart);

/// Horizontal bars from zero, labels on the left and values on the right. Pre: values are finite.
struct BarChart {
  struct Bar {
    std::string label;
    double value = 0.0;
    std::size_t group = 0;  ///< index into `groups`, gives the colour
  };
  std::string title;
  ChartQuantity value;
  std::vector<std::string> groups;  ///< texts in the legend; fewer than two: no legend
  std::vector<Bar> bars;            ///< from top to bottom
};
[[nodiscard]] std::string bar_chart_svg(const BarChart& chart);

/// A colour for every cell; cells without a value (NaN) are grey.
struct HeatMap {
  std::string title;
  ChartQuantity value;
  std::string x_name;
  std::string y_name;
  std::vector<std::string> columns;        ///< from left to right
  std::vector<std::string> rows;           ///< from top to bottom
  std::vector<std::vector<double>> cells;  ///< [row][column]
};
[[nodiscard]] std::string heat_map_svg(const HeatMap& chart);

}  // namespace dfsweep
