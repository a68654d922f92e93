/// Timelines as SVG: one lane per device, time from left to right.
#include <algorithm>

#include "engine/rendering/chart_parts.hpp"
#include "engine/rendering/drawing.hpp"
#include "engine/rendering/svg_text.hpp"
#include "io/number_format.hpp"

namespace dfsweep {
namespace {

constexpr double lanes_top = 44.0;
constexpr double timeline_pitch = 20.0;
constexpr double bar_thickness = 16.0;
constexpr double lanes_width = 960.0;
constexpr double min_label_width = 8.0;

std::string legend_of(const TimelineDrawing& drawing, double y) {
  std::string svg;
  double x = 16.0;
  for (std::size_t c = 0; c < drawing.categories.size(); ++c) {
    svg += svg_legend(x, y, {{std::string(series_colour(c)), drawing.categories[c]}});
    x += 36.0 + text_width(drawing.categories[c], chart_character);
  }
  return svg;
}

}  // namespace

std::string timeline_svg(const TimelineDrawing& drawing) {
  double end = 0.0;
  for (const TimelineDrawing::Bar& bar : drawing.bars) end = std::max(end, bar.end);
  double label_room = 0.0;
  for (const std::string& lane : drawing.lanes) label_room = std::max(label_room, text_width(lane, chart_character));
  const double left = 16.0 + label_room + 8.0;
  const double floor = lanes_top + timeline_pitch * static_cast<double>(drawing.lanes.size());
  const ChartScale scale(ChartScale::Kind::linear, 0.0, end > 0.0 ? end : 1.0, left, left + lanes_width);
  const std::vector<double> ticks = scale.ticks();
  const TickTexts texts = tick_texts(ticks, "s");
  std::string svg;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    svg += svg_line(scale.pixel(ticks[i]), lanes_top, scale.pixel(ticks[i]), floor, grid_colour);
    svg += svg_label(scale.pixel(ticks[i]), floor + 15.0, "middle", texts.texts[i]);
  }
  for (std::size_t lane = 0; lane < drawing.lanes.size(); ++lane)
    svg += svg_label(left - 8.0, lanes_top + timeline_pitch * static_cast<double>(lane) + 12.0, "end",
                     drawing.lanes[lane]);
  for (const TimelineDrawing::Bar& bar : drawing.bars) {
    const double y = lanes_top + timeline_pitch * static_cast<double>(bar.lane);
    const double from = scale.pixel(bar.begin);
    const double width = scale.pixel(bar.end) - from;
    const std::string hint = drawing.categories[bar.category] + " " + bar.label + ": " + with_unit(bar.begin, "s") +
                             " to " + with_unit(bar.end, "s");
    // A gap of half a pixel separates bars of the same colour.
    svg += svg_bar(from, y, std::max(width - 0.5, 0.2), bar_thickness, series_colour(bar.category), hint);
    if (width > std::max(text_width(bar.label, chart_character) + 3.0, min_label_width))
      svg += svg_label(from + width / 2.0, y + 12.0, "middle", bar.label);
  }
  svg += svg_label(left + lanes_width / 2.0, floor + 35.0, "middle", axis_title({"time", "s"}, texts.unit));
  svg += legend_of(drawing, floor + 58.0);
  return svg_head(drawing.title, left + lanes_width + 24.0, floor + 74.0) + svg + "</svg>\n";
}

}  // namespace dfsweep
