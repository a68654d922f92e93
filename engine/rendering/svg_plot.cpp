/// Sizes in pixels.
#include "engine/rendering/svg_plot.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/terminal.hpp"
#include "io/xml_text.hpp"

namespace dfsweep {

namespace {

constexpr double page_width = 560.0;
constexpr double page_height = 440.0;
constexpr double page_left = 70.0;
constexpr double page_right = 16.0;
constexpr double page_top = 56.0;
constexpr double page_bottom = 48.0;
constexpr double key_character = 6.2;
constexpr double key_width = 200.0;
constexpr double key_row = 18.0;
constexpr double key_left = page_width + 6.0;
constexpr double key_sample = 24.0;

std::string marker_path(double x, double y, Marker marker, std::string_view colour) {
  constexpr double radius = 3.6;
  if (marker == Marker::circle)
    return fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.8\"", x, y,
        radius, colour);
  return fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.8\"",
      x - radius, y - radius, 2.0 * radius, 2.0 * radius, colour);
}

std::string stroke_of(std::string_view colour, Stroke stroke) {
  return fmt::format("stroke=\"{}\" stroke-width=\"{}\"{}", colour, stroke == Stroke::solid ? "1.8" : "1.3",
                     stroke == Stroke::solid ? "" : " stroke-dasharray=\"5,4\"");
}

/// "0.002", "500", or with a power of ten as a superscript.
std::string tick_text(double ln) {
  const double value = std::exp(ln);
  constexpr double min_plain = 1e-3;
  constexpr double max_plain = 2e4;
  if (value > 0.99 * min_plain && value < max_plain) return fmt::format("{:.4g}", value);
  const int power = static_cast<int>(std::floor(std::log10(value) + 1e-9));
  const double digit = std::round(value / std::pow(10.0, power));
  return fmt::format("{}10<tspan dy=\"-4\" font-size=\"8\">{}</tspan>", digit == 1.0 ? "" : fmt::format("{}·", digit),
                     power);
}

std::string hint_of(std::string_view text) {
  return text.empty() ? std::string() : fmt::format("<title>{}</title>", xml_text(text));
}

/// 1, 2 and 5 times powers of ten between exp(low) and exp(high); only powers of ten if that gives too many.
std::vector<double> marks(double low, double high) {
  constexpr double ln_ten = 2.302585092994046;
  const bool is_wide = high - low > 3.0 * ln_ten;
  std::vector<double> found;
  for (int power = static_cast<int>(std::floor(low / ln_ten)); power <= static_cast<int>(std::ceil(high / ln_ten));
       ++power)
    for (const double digit : {1.0, 2.0, 5.0}) {
      if (is_wide && digit != 1.0) continue;
      const double ln = std::log(digit) + power * ln_ten;
      if (ln >= low && ln <= high) found.push_back(ln);
    }
  return found;
}

}  // namespace

SvgPicture::SvgPicture(std::string_view title, const PictureFrame& frame)
    : frame_(frame), title_(xml_text(title)), legend_x_(page_left) {}

double SvgPicture::px(double x) const {
  return page_left + (x - frame_.x_low) / (frame_.x_high - frame_.x_low) * (page_width - page_left - page_right);
}
double SvgPicture::py(double y) const {
  return page_height - page_bottom -
         (y - frame_.y_low) / (frame_.y_high - frame_.y_low) * (page_height - page_top - page_bottom);
}

void SvgPicture::cell(const PictureFrame& box, std::string_view colour, std::string_view hint) {
  body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\">{}</rect>\n",
                       px(box.x_low), py(box.y_high), px(box.x_high) - px(box.x_low), py(box.y_low) - py(box.y_high),
                       colour, hint_of(hint));
}

void SvgPicture::dot(LogPoint at, double radius, std::string_view colour, std::string_view hint) {
  body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\">{}</circle>\n", px(at.x), py(at.y),
                       radius, colour, hint_of(hint));
}

void SvgPicture::cross(LogPoint at, std::string_view colour, std::string_view hint) {
  constexpr double arm = 6.0;
  const double x = px(at.x);
  const double y = py(at.y);
  body_ += fmt::format(
      "<path d=\"M{:.1f},{:.1f} L{:.1f},{:.1f} M{:.1f},{:.1f} L{:.1f},{:.1f}\" stroke=\"{}\" "
      "stroke-width=\"2.5\">{}</path>\n",
      x - arm, y - arm, x + arm, y + arm, x - arm, y + arm, x + arm, y - arm, colour, hint_of(hint));
}

void SvgPicture::mark(LogPoint at, Marker marker, std::string_view colour, std::string_view hint) {
  const std::string shape = marker_path(px(at.x), py(at.y), marker, colour);
  body_ += fmt::format("{}>{}</{}>\n", shape, hint_of(hint), marker == Marker::circle ? "circle" : "rect");
}

void SvgPicture::band(std::span<const LogPoint> low, std::span<const LogPoint> high, std::string_view colour) {
  std::string path;
  for (const LogPoint& point : low)
    path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "M" : " L", px(point.x), py(point.y));
  for (std::size_t i = high.size(); i-- > 0;) path += fmt::format(" L{:.1f},{:.1f}", px(high[i].x), py(high[i].y));
  body_ += fmt::format("<path d=\"{} Z\" fill=\"{}\" fill-opacity=\"0.13\"/>\n", path, colour);
}

void SvgPicture::line(std::span<const LogPoint> points, std::string_view colour, std::string_view hint, Stroke stroke) {
  std::string path;
  for (const LogPoint& point : points)
    path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "M" : " L", px(point.x), py(point.y));
  body_ += fmt::format("<path d=\"{}\" fill=\"none\" {}>{}</path>\n", path, stroke_of(colour, stroke), hint_of(hint));
}

void SvgPicture::axes(std::string_view x_name, std::string_view y_name) {
  for (const double x : marks(frame_.x_low, frame_.x_high))
    around_ += fmt::format(
        "<path d=\"M{0:.1f},{1:.1f} v5\" stroke=\"#444\"/><text x=\"{0:.1f}\" y=\"{2:.1f}\" "
        "text-anchor=\"middle\">{3}</text>\n",
        px(x), page_height - page_bottom, page_height - page_bottom + 18.0, tick_text(x));
  for (const double y : marks(frame_.y_low, frame_.y_high))
    around_ += fmt::format(
        "<path d=\"M{0:.1f},{1:.1f} h-5\" stroke=\"#444\"/><text x=\"{2:.1f}\" y=\"{3:.1f}\" "
        "text-anchor=\"end\">{4}</text>\n",
        page_left, py(y), page_left - 8.0, py(y) + 4.0, tick_text(y));
  around_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                         (page_left + page_width - page_right) / 2.0, page_height - 10.0, xml_text(x_name));
  around_ += fmt::format(
      "<text x=\"14\" y=\"{0:.1f}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {0:.1f})\">{1}</text>\n",
      (page_top + page_height - page_bottom) / 2.0, xml_text(y_name));
}

void SvgPicture::legend(std::string_view colour, std::string_view text) {
  around_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"36\" width=\"10\" height=\"10\" fill=\"{}\"/><text x=\"{:.1f}\" y=\"45\">{}</text>\n",
      legend_x_, colour, legend_x_ + 14.0, xml_text(text));
  legend_x_ += 28.0 + key_character * static_cast<double>(shown_width(text));
}

double SvgPicture::next_key_row() {
  key_y_ = key_y_ == 0.0 ? page_top + 10.0 : key_y_ + key_row;
  return key_y_;
}

void SvgPicture::key_text(double y, std::string_view text) {
  around_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", key_left + key_sample + 8.0, y, xml_text(text));
}

void SvgPicture::key_title(std::string_view text) {
  const double y = next_key_row();
  around_ +=
      fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n", key_left, y, xml_text(text));
}

void SvgPicture::key_line(std::string_view colour, Stroke stroke, std::string_view text) {
  const double y = next_key_row();
  around_ += fmt::format("<path d=\"M{:.1f},{:.1f} h{}\" fill=\"none\" {}/>\n", key_left, y - 4.0, key_sample,
                         stroke_of(colour, stroke));
  key_text(y, text);
}

void SvgPicture::key_band(std::string_view colour, std::string_view text) {
  const double y = next_key_row();
  around_ +=
      fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"10\" fill=\"{}\" fill-opacity=\"0.2\"/>\n",
                  key_left, y - 9.0, key_sample, colour);
  key_text(y, text);
}

void SvgPicture::key_mark(Marker marker, std::string_view colour, std::string_view text) {
  const double y = next_key_row();
  around_ += marker_path(key_left + key_sample / 2.0, y - 4.0, marker, colour) + "/>\n";
  key_text(y, text);
}

std::string SvgPicture::take() {
  const double whole_width = key_y_ == 0.0 ? page_width : page_width + key_width;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "<title>{2}</title>\n<style>text {{ font-family: \"DejaVu Sans\", Verdana, Helvetica, Arial, sans-serif; "
      "font-size: "
      "11px; fill: #1c1c1c; }} .title {{ font-size: 14px; font-weight: bold; }}</style>\n"
      "<clipPath id=\"frame\"><rect x=\"{3}\" y=\"{4}\" width=\"{5}\" height=\"{6}\"/></clipPath>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n<text x=\"{3}\" y=\"24\" class=\"title\">{2}</text>\n"
      "<g clip-path=\"url(#frame)\">\n{7}</g>\n"
      "<rect x=\"{3}\" y=\"{4}\" width=\"{5}\" height=\"{6}\" fill=\"none\" stroke=\"#444\"/>\n{8}</svg>\n",
      whole_width, page_height, title_, page_left, page_top, page_width - page_left - page_right,
      page_height - page_top - page_bottom, body_, around_);
}

}  // namespace dfsweep
