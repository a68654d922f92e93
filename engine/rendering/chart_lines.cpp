/// Lines and dots over two axes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "engine/rendering/chart.hpp"
#include "engine/rendering/chart_parts.hpp"
#include "engine/rendering/svg_text.hpp"
#include "io/number_format.hpp"
#include "io/xml_text.hpp"

namespace dfsweep {
namespace {

using Mark = ChartSeries::Mark;

constexpr double plot_width = 560.0;
constexpr double plot_height = 380.0;
constexpr double frame_left = 86.0;
constexpr double frame_top = 44.0;
constexpr double frame_bottom = 54.0;
constexpr double frame_right = 24.0;
constexpr double room_around = 0.05;  ///< margin between the outermost points and the frame, as a share of the range
constexpr std::string_view frame_colour = "#444444";
constexpr std::string_view cloud_colour = "#c4c4c4";
constexpr std::string_view guide_colour = "#8a8a8a";

bool is_drawn(const ChartPoint& point) {
  return std::isfinite(point.x) && std::isfinite(point.y);
}

/// A scale for all values of one coordinate, with a margin.
ChartScale scale_of(const LineChart& chart, double ChartPoint::*coordinate, double first, double last) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const ChartSeries& series : chart.series)
    for (const ChartPoint& point : series.points) {
      if (!is_drawn(point)) continue;
      low = std::min(low, point.*coordinate);
      high = std::max(high, point.*coordinate);
    }
  if (!(low <= high)) low = 0.0, high = 1.0;
  const ChartScale::Kind kind = scale_kind(low, high);
  if (kind == ChartScale::Kind::log) {
    const double factor = std::pow(high / low, room_around);
    return {kind, low / factor, high * factor, first, last};
  }
  if (low > 0.0 && low < 0.5 * high) low = 0.0;  // start at zero if that wastes little space
  const double room = high > low ? room_around * (high - low) : std::max(std::abs(high), 1.0) * room_around;
  return {kind, low == 0.0 ? 0.0 : low - room, high + room, first, last};
}

std::string axes_svg(const LineChart& chart, const ChartScale& x, const ChartScale& y) {
  const double floor = frame_top + plot_height;
  std::string svg;
  const std::vector<double> x_ticks = x.ticks();
  const TickTexts x_texts = tick_texts(x_ticks, chart.x.unit);
  for (std::size_t i = 0; i < x_ticks.size(); ++i) {
    svg += svg_line(x.pixel(x_ticks[i]), frame_top, x.pixel(x_ticks[i]), floor, grid_colour);
    svg += svg_label(x.pixel(x_ticks[i]), floor + 17.0, "middle", x_texts.texts[i]);
  }
  const std::vector<double> y_ticks = y.ticks();
  const TickTexts y_texts = tick_texts(y_ticks, chart.y.unit);
  for (std::size_t i = 0; i < y_ticks.size(); ++i) {
    svg += svg_line(frame_left, y.pixel(y_ticks[i]), frame_left + plot_width, y.pixel(y_ticks[i]), grid_colour);
    svg += svg_label(frame_left - 7.0, y.pixel(y_ticks[i]) + 4.0, "end", y_texts.texts[i]);
  }
  svg += svg_label(frame_left + plot_width / 2.0, floor + 40.0, "middle", axis_title(chart.x, x_texts.unit));
  svg += fmt::format("<g transform=\"translate(18,{}) rotate(-90)\">{}</g>\n", pixels(frame_top + plot_height / 2.0),
                     svg_label(0.0, 0.0, "middle", axis_title(chart.y, y_texts.unit)));
  return svg + fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\"/>\n",
                           pixels(frame_left), pixels(frame_top), pixels(plot_width), pixels(plot_height),
                           frame_colour);
}

/// Draws dots on the same pixel once.
std::string cloud_svg(const ChartSeries& series, const ChartScale& x, const ChartScale& y) {
  std::set<std::pair<long, long>> drawn;
  std::string svg;
  for (const ChartPoint& point : series.points) {
    if (!is_drawn(point)) continue;
    const std::pair<long, long> place{std::lround(x.pixel(point.x) / 2.0), std::lround(y.pixel(point.y) / 2.0)};
    if (!drawn.insert(place).second) continue;
    svg += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"2\" fill=\"{}\"/>\n", 2 * place.first, 2 * place.second,
                       cloud_colour);
  }
  return svg;
}

/// Pre: points ascend in x.
std::string guide_svg(const ChartSeries& series, const ChartScale& x, const ChartScale& y) {
  std::string path;
  for (const ChartPoint& point : series.points)
    path += fmt::format("{}{},{}", path.empty() ? "M" : " L", pixels(x.pixel(point.x)), pixels(y.pixel(point.y)));
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1\"/>\n", path, guide_colour);
}

std::string series_svg(const LineChart& chart, const ChartSeries& series, std::string_view colour, const ChartScale& x,
                       const ChartScale& y) {
  std::vector<ChartPoint> points;
  std::copy_if(series.points.begin(), series.points.end(), std::back_inserter(points), is_drawn);
  if (series.mark != Mark::dots)
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  std::string path;
  std::string dots;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string px = pixels(x.pixel(points[i].x));
    const std::string py = pixels(y.pixel(points[i].y));
    if (i > 0 && series.mark == Mark::steps_of_low)
      path += fmt::format(" L{},{}", px, pixels(y.pixel(points[i - 1].y)));
    if (i > 0 && series.mark == Mark::steps_of_high)
      path += fmt::format(" L{},{}", pixels(x.pixel(points[i - 1].x)), py);
    path += fmt::format("{}{},{}", i == 0 ? "M" : " L", px, py);
    const std::string hint = fmt::format("{}{}{}, {}", series.name, series.name.empty() ? "" : ": ",
                                         with_unit(points[i].x, chart.x.unit), with_unit(points[i].y, chart.y.unit));
    dots += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" fill=\"{}\"><title>{}</title></circle>\n", px, py,
                        colour, xml_text(hint));
  }
  if (series.mark == Mark::dots || points.size() < 2) return dots;
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>\n", path, colour) + dots;
}

}  // namespace

std::string line_chart_svg(const LineChart& chart) {
  const ChartScale x = scale_of(chart, &ChartPoint::x, frame_left, frame_left + plot_width);
  const ChartScale y = scale_of(chart, &ChartPoint::y, frame_top + plot_height, frame_top);
  std::string behind;
  std::string front;
  std::vector<std::pair<std::string, std::string>> legend;
  double legend_width = 0.0;
  std::size_t coloured = 0;
  for (const ChartSeries& series : chart.series) {
    std::string_view colour;
    if (series.mark == Mark::cloud) {
      colour = cloud_colour;
      behind += cloud_svg(series, x, y);
    } else if (series.mark == Mark::guide) {
      colour = guide_colour;
      behind += guide_svg(series, x, y);
    } else {
      colour = series_colour(coloured++);
      front += series_svg(chart, series, colour, x, y);
    }
    if (series.name.empty()) continue;
    legend.emplace_back(colour, series.name);
    legend_width = std::max(legend_width, text_width(series.name, chart_character) + 40.0);
  }
  const double width = frame_left + plot_width + frame_right + legend_width;
  return svg_head(chart.title, width, frame_top + plot_height + frame_bottom) + axes_svg(chart, x, y) + behind + front +
         svg_legend(frame_left + plot_width + 16.0, frame_top + 12.0, legend) + "</svg>\n";
}

}  // namespace dfsweep
