/// Building blocks of charts: scales, ticks, colours, pieces of SVG.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/rendering/chart.hpp"

namespace dfsweep {

/// Average width of a character of chart texts, in pixels.
inline constexpr double chart_character = 6.4;
inline constexpr double chart_title_character = 8.4;
inline constexpr std::string_view grid_colour = "#e4e4e4";

/// Maps values to pixels along one axis.
class ChartScale {
 public:
  enum class Kind : std::uint8_t { linear, log };
  /// `first` and `last`: pixels of `low` and `high`. Pre: low < high; both positive if `kind` is log.
  ChartScale(Kind kind, double low, double high, double first, double last);
  [[nodiscard]] double pixel(double value) const;
  /// About five round values within the range.
  [[nodiscard]] std::vector<double> ticks() const;

 private:
  Kind kind_;
  double low_, high_, first_, last_;
};

/// Logarithmic if the range is positive and wide, else linear.
[[nodiscard]] ChartScale::Kind scale_kind(double least, double most);

/// Tick labels with a common prefix if that is readable, and the unit for the axis title.
struct TickTexts {
  std::string unit;
  std::vector<std::string> texts;
};
[[nodiscard]] TickTexts tick_texts(const std::vector<double>& ticks, const std::string& unit);
/// "step_time [s]".
[[nodiscard]] std::string axis_title(const ChartQuantity& quantity, const std::string& unit);

/// Colours that are distinguishable with colour blindness; repeated after the last one.
[[nodiscard]] std::string_view series_colour(std::size_t index);
/// From dark blue at 0 to yellow at 1, with rising brightness.
[[nodiscard]] std::string heat_colour(double share);

[[nodiscard]] std::string svg_head(std::string_view title, double width, double height);
/// `anchor`: start, middle or end; `text` is escaped here.
[[nodiscard]] std::string svg_label(double x, double y, std::string_view anchor, std::string_view text);
[[nodiscard]] std::string svg_line(double x1, double y1, double x2, double y2, std::string_view colour);
[[nodiscard]] std::string svg_bar(double x, double y, double width, double height, std::string_view colour,
                                  std::string_view hint);
/// A legend from (x, y) downwards.
[[nodiscard]] std::string svg_legend(double x, double y, const std::vector<std::pair<std::string, std::string>>& lines);

}  // namespace dfsweep
