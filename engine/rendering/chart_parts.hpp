/// What charts are made of: scales of axes, their ticks, colours, pieces of SVG.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/rendering/chart.hpp"

namespace dfsweep {

/// Pixels per character of the texts of charts, for letters of common width.
inline constexpr double chart_character = 6.4;
inline constexpr double chart_title_character = 8.4;
inline constexpr std::string_view grid_colour = "#e4e4e4";

/// Maps values to pixels along one axis.
class ChartScale {
 public:
  enum class Kind : std::uint8_t { linear, log };
  /// `first` and `last`: pixels of `low` and `high`. Pre: low < high; both positive where `kind` is log.
  ChartScale(Kind kind, double low, double high, double first, double last);
  [[nodiscard]] double pixel(double value) const;
  /// Round values within the range, about five.
  [[nodiscard]] std::vector<double> ticks() const;

 private:
  Kind kind_;
  double low_, high_, first_, last_;
};

/// Whether values with this range are drawn by their logarithm.
[[nodiscard]] ChartScale::Kind scale_kind(double least, double most);

/// Ticks as texts with one prefix for all where that is readable, and the unit for the title of the axis.
struct TickTexts {
  std::string unit;
  std::vector<std::string> texts;
};
[[nodiscard]] TickTexts tick_texts(const std::vector<double>& ticks, const std::string& unit);
/// "step_time [s]".
[[nodiscard]] std::string axis_title(const ChartQuantity& quantity, const std::string& unit);

/// Colours that people with colour-blindness can tell apart; more than there are start over.
[[nodiscard]] std::string_view series_colour(std::size_t index);
/// From dark blue at 0 to yellow at 1, as bright as the share is large.
[[nodiscard]] std::string heat_colour(double share);

[[nodiscard]] std::string svg_head(std::string_view title, double width, double height);
/// `anchor`: start, middle or end; `text` is escaped here.
[[nodiscard]] std::string svg_label(double x, double y, std::string_view anchor, std::string_view text);
[[nodiscard]] std::string svg_line(double x1, double y1, double x2, double y2, std::string_view colour);
[[nodiscard]] std::string svg_bar(double x, double y, double width, double height, std::string_view colour,
                                  std::string_view hint);
/// Lines of a legend from (x, y) downwards.
[[nodiscard]] std::string svg_legend(double x, double y, const std::vector<std::pair<std::string, std::string>>& lines);

}  // namespace dfsweep
