/// A plot with two logarithmic axes as self-contained SVG without scripts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/laws/law.hpp"

namespace dfsweep {

/// Ranges of both axes, as natural logarithms.
struct PictureFrame {
  double x_low = 0.0, x_high = 1.0;
  double y_low = 0.0, y_high = 1.0;
};

enum class Stroke : std::uint8_t { solid, dashed };
enum class Marker : std::uint8_t { circle, square };

/// Elements are clipped to the frame. The same calls always give the same bytes.
class SvgPicture {
 public:
  SvgPicture(std::string_view title, const PictureFrame& frame);

  void cell(const PictureFrame& box, std::string_view colour, std::string_view hint);
  void dot(LogPoint at, double radius, std::string_view colour, std::string_view hint);
  void cross(LogPoint at, std::string_view colour, std::string_view hint);
  void mark(LogPoint at, Marker marker, std::string_view colour, std::string_view hint);
  void line(std::span<const LogPoint> points, std::string_view colour, std::string_view hint,
            Stroke stroke = Stroke::solid);
  /// The area between two lines, translucent. Pre: both have the same number of points.
  void band(std::span<const LogPoint> low, std::span<const LogPoint> high, std::string_view colour);
  /// Axes with ticks at 1, 2 and 5 times powers of ten of exp(axis).
  void axes(std::string_view x_name, std::string_view y_name);
  /// Adds an item to the legend below the title.
  void legend(std::string_view colour, std::string_view text);
  /// Rows of the key beside the frame, from top to bottom. The first call makes the picture wider.
  void key_title(std::string_view text);
  void key_line(std::string_view colour, Stroke stroke, std::string_view text);
  void key_band(std::string_view colour, std::string_view text);
  void key_mark(Marker marker, std::string_view colour, std::string_view text);
  [[nodiscard]] std::string take();

 private:
  [[nodiscard]] double px(double x) const;
  [[nodiscard]] double py(double y) const;
  PictureFrame frame_;
  std::string body_;
  std::string around_;
  std::string title_;
  double legend_x_;
  double key_y_ = 0.0;  ///< position of the next row; 0: no key

  [[nodiscard]] double next_key_row();
  void key_text(double y, std::string_view text);
};

}  // namespace dfsweep
