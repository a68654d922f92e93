#include "engine/rendering/svg_text.hpp"

#include <algorithm>
#include <cmath>

#include "io/number_format.hpp"
#include "io/terminal.hpp"
#include "io/xml_text.hpp"

namespace dfsweep {

double text_width(std::string_view text, double character) {
  return static_cast<double>(shown_width(printable(text))) * character;
}

std::string fitted_text(std::string_view text, double width, double character) {
  const std::string shown = printable(text);
  const auto room = static_cast<std::size_t>(std::max(width / character, 1.0));
  if (shown_width(shown) <= room) return xml_text(shown);
  std::string cut;
  std::size_t characters = 0;
  for (const char c : shown) {
    const bool starts = (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    if (starts && ++characters >= room) break;
    cut += c;
  }
  return xml_text(cut) + "…";
}

std::string pixels(double value) {
  return shortest(std::round(value * 10.0) / 10.0);
}

}  // namespace dfsweep
