/// A picture with axes as SVG: no scripts, no fonts or files of its own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/hyperparameters/law/law.hpp"

namespace dfsweep {

/// Ranges of both axes, in the logarithms that are drawn.
struct PictureFrame {
  double x_low = 0.0, x_high = 1.0;
  double y_low = 0.0, y_high = 1.0;
};

/// Elements are clipped to the frame. The same calls always give the same bytes.
class SvgPicture {
 public:
  SvgPicture(std::string_view title, const PictureFrame& frame);

  void cell(const PictureFrame& box, std::string_view colour, std::string_view hint);
  void dot(hyperparameters::LogPoint at, double radius, std::string_view colour, std::string_view hint);
  void cross(hyperparameters::LogPoint at, std::string_view colour, std::string_view hint);
  void line(std::span<const hyperparameters::LogPoint> points, std::string_view colour, std::string_view hint);
  /// Marks at 1, 2 and 5 times powers of ten of exp(axis).
  void axes(std::string_view x_name, std::string_view y_name);
  /// A line of the legend below the title.
  void legend(std::string_view colour, std::string_view text);
  [[nodiscard]] std::string take();

 private:
  [[nodiscard]] double px(double x) const;
  [[nodiscard]] double py(double y) const;
  PictureFrame frame_;
  std::string body_;
  std::string around_;
  std::string title_;
  double legend_x_;
};

}  // namespace dfsweep
