#include "models/short_number.hpp"

#include <array>
#include <charconv>
#include <iterator>

namespace dfsweep {

namespace {

std::string rounded(double value, int digits) {
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), value, std::chars_format::general, digits).ptr;
  return {std::begin(text), end};
}

}  // namespace

std::string short_number(double value) {
  return rounded(value, 6);
}

std::string amount_text(double value, std::string_view unit, int digits) {
  constexpr std::array prefixes{"", "k", "M", "G", "T", "P", "E"};
  std::size_t prefix = 0;
  for (; value >= 1000.0 && prefix + 1 < prefixes.size(); ++prefix) value /= 1000.0;
  // Rounding to fewer than three digits, or up to 1000, would give an exponent: "1e+03".
  std::string text = rounded(value, digits < 3 ? 3 : digits);
  if (text == "1000" && prefix + 1 < prefixes.size()) {
    text = "1";
    ++prefix;
  }
  return text + " " + prefixes[prefix] + std::string(unit);
}

std::pair<std::string, std::string> distinct_amounts(double a, double b, std::string_view unit) {
  constexpr int most_digits = 17;
  for (int digits = 4; digits < most_digits; ++digits) {
    std::pair texts{amount_text(a, unit, digits), amount_text(b, unit, digits)};
    if (texts.first != texts.second) return texts;
  }
  return {amount_text(a, unit, most_digits), amount_text(b, unit, most_digits)};
}

}  // namespace dfsweep
