/// Bars and heat maps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/rendering/chart.hpp"
#include "engine/rendering/chart_parts.hpp"
#include "engine/rendering/svg_text.hpp"
#include "io/number_format.hpp"
#include "io/xml_text.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

constexpr double bars_top = 44.0;
constexpr double bars_margin = 24.0;
constexpr double title_room = 32.0;
constexpr double widest_label = 260.0;
constexpr std::string_view no_value_colour = "#d8d8d8";

double widest(const std::vector<std::string>& texts) {
  double width = 0.0;
  for (const std::string& text : texts) width = std::max(width, text_width(text, chart_character));
  return width;
}

/// Width of a page that fits the title, up to a limit.
double title_width(const std::string& title) {
  constexpr double widest_page = 900.0;
  return std::min(text_width(title, chart_title_character) + 36.0, widest_page);
}

/// Minimum and maximum of the finite cells; equal if there are fewer than two values.
std::pair<double, double> range_of(const std::vector<std::vector<double>>& cells) {
  double least = absent;
  double most = absent;
  for (const auto& row : cells)
    for (const double cell : row) {
      least = std::fmin(least, cell);
      most = std::fmax(most, cell);
    }
  return {least, most};
}

/// Relative position of a value in the range, logarithmic if the range is wide.
double share_of(double value, double least, double most) {
  if (!(most > least)) return 0.5;
  if (scale_kind(least, most) == ChartScale::Kind::log) return std::log(value / least) / std::log(most / least);
  return (value - least) / (most - least);
}

std::string colour_bar(const HeatMap& chart, double x, double height, double least, double most) {
  constexpr int steps = 60;
  constexpr double width = 14.0;
  std::string svg;
  for (int i = 0; i < steps; ++i)
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", pixels(x),
                       pixels(bars_top + height * (1.0 - static_cast<double>(i + 1) / steps)), pixels(width),
                       pixels(height / steps + 0.5), heat_colour((i + 0.5) / steps));
  svg += svg_label(x + width + 6.0, bars_top + 9.0, "start", with_unit(most, chart.value.unit));
  svg += svg_label(x + width + 6.0, bars_top + height, "start", with_unit(least, chart.value.unit));
  return svg + svg_label(x, bars_top + height + 18.0, "start", chart.value.name);
}

}  // namespace

std::string bar_chart_svg(const BarChart& chart) {
  constexpr double pitch = 22.0;
  constexpr double bar_height = 15.0;
  constexpr double plot_width = 440.0;
  std::vector<std::string> labels;
  std::vector<double> values;
  double low = 0.0;
  double high = 0.0;
  for (const BarChart::Bar& bar : chart.bars) {
    labels.push_back(bar.label);
    low = std::min(low, bar.value);
    high = std::max(high, bar.value);
  }
  if (high == low) high = low + 1.0;
  const double left = 16.0 + std::min(widest(labels), widest_label) + 8.0;
  const double floor = bars_top + pitch * static_cast<double>(chart.bars.size()) + 4.0;
  const ChartScale scale(ChartScale::Kind::linear, low, high * 1.02, left, left + plot_width);
  const std::vector<double> ticks = scale.ticks();
  const TickTexts texts = tick_texts(ticks, chart.value.unit);
  std::string svg;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    svg += svg_line(scale.pixel(ticks[i]), bars_top, scale.pixel(ticks[i]), floor, grid_colour);
    svg += svg_label(scale.pixel(ticks[i]), floor + 15.0, "middle", texts.texts[i]);
  }
  double value_room = 0.0;
  for (std::size_t b = 0; b < chart.bars.size(); ++b) {
    const BarChart::Bar& bar = chart.bars[b];
    const double y = bars_top + pitch * static_cast<double>(b) + 3.0;
    const std::string value = with_unit(bar.value, chart.value.unit);
    const double from = scale.pixel(std::min(bar.value, 0.0));
    const double to = scale.pixel(std::max(bar.value, 0.0));
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", pixels(left - 8.0), pixels(y + 11.5),
                       fitted_text(bar.label, widest_label, chart_character));
    svg += svg_bar(from, y, to - from, bar_height, series_colour(bar.group), bar.label + ": " + value);
    svg += svg_label(to + 5.0, y + 11.5, "start", value);
    value_room = std::max(value_room, to + 5.0 + text_width(value, chart_character) - left - plot_width);
  }
  svg += svg_label(left + plot_width / 2.0, floor + 37.0, "middle", axis_title(chart.value, texts.unit));
  const double legend_x = left + plot_width + std::max(value_room, 0.0) + 16.0;
  double width = legend_x;
  if (chart.groups.size() > 1) {
    std::vector<std::pair<std::string, std::string>> legend;
    for (std::size_t g = 0; g < chart.groups.size(); ++g) legend.emplace_back(series_colour(g), chart.groups[g]);
    svg += svg_legend(legend_x, bars_top + 14.0, legend);
    width += widest(chart.groups) + 40.0;
  }
  const double min_height = bars_top + 17.0 * static_cast<double>(chart.groups.size()) + bars_margin;
  return svg_head(chart.title, std::max(width, title_width(chart.title)), std::max(floor + 37.0 + 15.0, min_height)) +
         svg + "</svg>\n";
}

std::string heat_map_svg(const HeatMap& chart) {
  constexpr double cell_height = 30.0;
  const auto [least, most] = range_of(chart.cells);
  std::vector<std::string> texts;
  for (const auto& row : chart.cells)
    for (const double cell : row) texts.push_back(!is_given(cell) ? "" : with_unit(cell, chart.value.unit, 3));
  const double cell_width = std::max({46.0, widest(texts) + 10.0, std::min(widest(chart.columns), 120.0) + 10.0});
  const double left = title_room + std::min(widest(chart.rows), widest_label) + 8.0;
  const double width = cell_width * static_cast<double>(chart.columns.size());
  const double height = cell_height * static_cast<double>(chart.rows.size());
  std::string svg;
  for (std::size_t r = 0; r < chart.rows.size(); ++r) {
    const double y = bars_top + cell_height * static_cast<double>(r);
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", pixels(left - 8.0),
                       pixels(y + cell_height / 2.0 + 4.0), fitted_text(chart.rows[r], widest_label, chart_character));
    for (std::size_t c = 0; c < chart.columns.size(); ++c) {
      const double value = chart.cells[r][c];
      const double x = left + cell_width * static_cast<double>(c);
      const double share = share_of(value, least, most);
      const std::string text = !is_given(value) ? "no value" : with_unit(value, chart.value.unit);
      svg += svg_bar(x, y, cell_width, cell_height, !is_given(value) ? no_value_colour : heat_colour(share),
                     fmt::format("{}, {}: {}", chart.columns[c], chart.rows[r], text));
      svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" style=\"fill:{}\">{}</text>\n",
                         pixels(x + cell_width / 2.0), pixels(y + cell_height / 2.0 + 4.0),
                         is_given(value) && share < 0.6 ? "#ffffff" : "#1c1c1c",
                         xml_text(texts[r * chart.columns.size() + c]));
    }
  }
  for (std::size_t c = 0; c < chart.columns.size(); ++c)
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                       pixels(left + cell_width * (static_cast<double>(c) + 0.5)), pixels(bars_top + height + 17.0),
                       fitted_text(chart.columns[c], cell_width - 4.0, chart_character));
  svg += svg_label(left + width / 2.0, bars_top + height + 40.0, "middle", chart.x_name);
  svg += fmt::format("<g transform=\"translate(18,{}) rotate(-90)\">{}</g>\n", pixels(bars_top + height / 2.0),
                     svg_label(0.0, 0.0, "middle", chart.y_name));
  if (std::isfinite(least)) svg += colour_bar(chart, left + width + 20.0, std::max(height, 60.0), least, most);
  const double legend = std::max(140.0, text_width(chart.value.name, chart_character) + 30.0);
  const double page = std::max(left + width + 20.0 + legend, title_width(chart.title));
  return svg_head(chart.title, page, bars_top + std::max(height, 60.0) + 56.0) + svg + "</svg>\n";
}

}  // namespace dfsweep
