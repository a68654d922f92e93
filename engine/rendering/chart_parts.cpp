#include "engine/rendering/chart_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/rendering/svg_text.hpp"
#include "io/number_format.hpp"
#include "io/xml_text.hpp"

namespace dfsweep {
namespace {

constexpr double log_span = 20.0;
constexpr std::size_t wanted_ticks = 5;
constexpr std::size_t max_log_ticks = 8;
constexpr int tick_digits = 3;

/// From "#440154" via blue and green to "#fde725", with uniformly rising brightness.
constexpr std::array<std::array<double, 3>, 5> heat_colours = {
    {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
constexpr std::array<std::string_view, 8> colours_of_series = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                               "#e69f00", "#56b4e9", "#8c564b", "#555555"};

/// Rounds `step` up to 1, 2 or 5 times a power of ten.
double round_step(double step) {
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= step * (1.0 - 1e-9)) return digit * power;
  return 10.0 * power;
}

std::vector<double> log_ticks(double low, double high, const std::vector<double>& digits) {
  std::vector<double> ticks;
  for (double power = std::floor(std::log10(low)); power <= std::ceil(std::log10(high)); power += 1.0)
    for (const double digit : digits) {
      const double tick = digit * std::pow(10.0, power);
      if (tick >= low * (1.0 - 1e-9) && tick <= high * (1.0 + 1e-9)) ticks.push_back(tick);
    }
  return ticks;
}

/// Removes spaces and trailing zeros: "0.500 " becomes "0.5".
std::string trimmed(std::string text) {
  const std::size_t blank = text.find_last_not_of(' ');
  text.resize(blank == std::string::npos ? 0 : blank + 1);
  const std::size_t unit = std::min(text.find(' '), text.size());
  std::string number = text.substr(0, unit);
  if (number.find('.') != std::string::npos) {
    number.resize(number.find_last_not_of('0') + 1);
    if (number.ends_with('.')) number.pop_back();
  }
  return number + text.substr(unit);
}

}  // namespace

ChartScale::Kind scale_kind(double least, double most) {
  return least > 0.0 && most / least > log_span ? ChartScale::Kind::log : ChartScale::Kind::linear;
}

ChartScale::ChartScale(Kind kind, double low, double high, double first, double last)
    : kind_(kind), low_(low), high_(high), first_(first), last_(last) {}

double ChartScale::pixel(double value) const {
  const double share =
      kind_ == Kind::log ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  return first_ + share * (last_ - first_);
}

std::vector<double> ChartScale::ticks() const {
  if (kind_ == Kind::log) {
    const std::array<std::vector<double>, 3> choices = {{{1.0, 2.0, 5.0}, {1.0, 3.0}, {1.0}}};
    for (const std::vector<double>& digits : choices) {
      std::vector<double> ticks = log_ticks(low_, high_, digits);
      if (ticks.size() <= max_log_ticks) return ticks;
    }
    std::vector<double> powers = log_ticks(low_, high_, {1.0});
    std::vector<double> ticks;
    const std::size_t stride = (powers.size() + max_log_ticks - 1) / max_log_ticks;
    for (std::size_t i = 0; i < powers.size(); i += stride) ticks.push_back(powers[i]);
    return ticks;
  }
  const double step = round_step((high_ - low_) / static_cast<double>(wanted_ticks));
  std::vector<double> ticks;
  for (double count = std::ceil(low_ / step - 1e-9); count * step <= high_ + step * 1e-9; count += 1.0)
    ticks.push_back(count * step + 0.0);  // not -0
  return ticks;
}

TickTexts tick_texts(const std::vector<double>& ticks, const std::string& unit) {
  NumberColumn column = format_column(ticks, unit, tick_digits);
  for (std::string& cell : column.cells) cell = trimmed(cell);
  return {std::move(column.unit), std::move(column.cells)};
}

std::string axis_title(const ChartQuantity& quantity, const std::string& unit) {
  return unit.empty() ? quantity.name : quantity.name + " [" + unit + "]";
}

std::string_view series_colour(std::size_t index) {
  return colours_of_series[index % colours_of_series.size()];
}

std::string heat_colour(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(heat_colours.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), heat_colours.size() - 2);
  const double rest = place - static_cast<double>(below);
  std::array<int, 3> mixed{};
  for (std::size_t c = 0; c < mixed.size(); ++c)
    mixed[c] = static_cast<int>(
        std::lround(heat_colours[below][c] + rest * (heat_colours[below + 1][c] - heat_colours[below][c])));
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

std::string svg_head(std::string_view title, double width, double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "<title>{2}</title>\n<style>text {{ font-family: \"DejaVu Sans\", Verdana, Helvetica, Arial, sans-serif; "
      "font-size: 11px; fill: #1c1c1c; }} .title {{ font-size: 14px; font-weight: bold; }}</style>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
      "<text x=\"16\" y=\"24\" class=\"title\">{3}</text>\n",
      pixels(width), pixels(height), xml_text(title), fitted_text(title, width - 32.0, chart_title_character));
}

std::string svg_label(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", pixels(x), pixels(y), anchor,
                     xml_text(text));
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view colour) {
  return fmt::format("<path d=\"M{},{} L{},{}\" stroke=\"{}\"/>\n", pixels(x1), pixels(y1), pixels(x2), pixels(y2),
                     colour);
}

std::string svg_bar(double x, double y, double width, double height, std::string_view colour, std::string_view hint) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>{}</title></rect>\n",
                     pixels(x), pixels(y), pixels(width), pixels(height), colour, xml_text(hint));
}

std::string svg_legend(double x, double y, const std::vector<std::pair<std::string, std::string>>& lines) {
  constexpr double pitch = 17.0;
  std::string svg;
  for (const auto& [colour, text] : lines) {
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"11\" height=\"11\" fill=\"{}\"/>\n", pixels(x), pixels(y - 9.5),
                       colour);
    svg += svg_label(x + 17.0, y, "start", text);
    y += pitch;
  }
  return svg;
}

}  // namespace dfsweep
