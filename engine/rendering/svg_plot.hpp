/// A picture with axes as SVG: no scripts, no fonts or files of its own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/laws/law.hpp"

namespace dfsweep {

/// Ranges of both axes, in the logarithms that are drawn.
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
  void dot(hyperparameters::LogPoint at, double radius, std::string_view colour, std::string_view hint);
  void cross(hyperparameters::LogPoint at, std::string_view colour, std::string_view hint);
  void mark(hyperparameters::LogPoint at, Marker marker, std::string_view colour, std::string_view hint);
  void line(std::span<const hyperparameters::LogPoint> points, std::string_view colour, std::string_view hint,
            Stroke stroke = Stroke::solid);
  /// The area between two lines, see-through. Pre: as many points in both.
  void band(std::span<const hyperparameters::LogPoint> low, std::span<const hyperparameters::LogPoint> high,
            std::string_view colour);
  /// Marks at 1, 2 and 5 times powers of ten of exp(axis).
  void axes(std::string_view x_name, std::string_view y_name);
  /// An item of the legend below the title.
  void legend(std::string_view colour, std::string_view text);
  /// Rows of a key beside the frame, from top to bottom; the first makes the picture wider.
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
  double key_y_ = 0.0;  ///< of the next row; 0: there is no key

  [[nodiscard]] double next_key_row();
  void key_text(double y, std::string_view text);
};

}  // namespace dfsweep
