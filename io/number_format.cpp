/// Number formats: one exactly rounded conversion gives the decimal digits; the decimal point is inserted as text.
#include "io/number_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace dfsweep {
namespace {

constexpr std::array<std::string_view, 17> prefixes = {"y", "z", "a", "f", "p", "n", "u", "m", "",
                                                       "k", "M", "G", "T", "P", "E", "Z", "Y"};
constexpr int prefix_zero = 8;
constexpr double widest_common_range = 1e4;

/// Decimal exponent of |value| after rounding to `digits` significant digits. Pre: finite, not 0.
int rounded_exponent(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  int exponent = 0;
  const char* first = text.data() + text.find('e') + 1;
  if (*first == '+') ++first;
  std::from_chars(first, text.data() + text.size(), exponent);
  return exponent;
}

/// `value` / 10^`shift` with `decimals` decimals.
std::string fixed_point(double value, int shift, int decimals) {
  return fmt::format("{:.{}f}", value * std::pow(10.0, -shift), decimals);
}

int floor_to_three(int exponent) {
  return exponent >= 0 ? exponent / 3 * 3 : -((-exponent + 2) / 3) * 3;
}

/// The unit that people use, and how many of it a dataset's unit is.
struct ShownUnit {
  std::string name;
  double factor = 1.0;
};

constexpr std::string_view energy_price = "USD/kWh";

ShownUnit unit_of_people(std::string_view unit) {
  constexpr double joules = 3.6e6;  // of a kWh
  std::string shown = shown_unit(unit);
  if (shown == "USD/J") return {std::string(energy_price), joules};
  if (shown == "kg/J") return {"kg/kWh", joules};
  return {std::move(shown)};
}

enum class Prefixing { none, down, both, money };

/// Which prefixes a unit may have: a prefix before a power ("m2") would be raised to that power.
Prefixing prefixing(std::string_view shown) {
  if (shown == "s") return Prefixing::down;
  if (shown == energy_price) return Prefixing::none;
  const std::string_view head = shown.substr(0, shown.find_first_of("/ "));
  if (head == "USD") return Prefixing::money;
  constexpr std::array<std::string_view, 6> bases = {"B", "FLOP", "W", "J", "s", "Hz"};
  return std::find(bases.begin(), bases.end(), head) == bases.end() ? Prefixing::none : Prefixing::both;
}

/// The power of ten of the prefix for a value. Pre: `exponent` is the decimal exponent of the value.
int prefix_shift(int exponent, Prefixing allowed) {
  if (allowed == Prefixing::none) return 0;
  const int shift = std::clamp(floor_to_three(exponent), -24, 24);
  if (allowed == Prefixing::money && shift == -3) return 0;  // "0.9893 USD", since people do not count in mUSD
  return allowed == Prefixing::down ? std::min(shift, 0) : shift;
}

std::string_view prefix_of(int shift) {
  return prefixes[static_cast<std::size_t>(shift / 3 + prefix_zero)];
}

bool is_whole(double value) {
  return value == std::floor(value) && std::fabs(value) <= largest_exact_whole;
}

/// Without prefix: whole numbers with all digits, others with significant digits.
std::string plain(double value, int digits) {
  if (is_whole(value)) return fmt::format("{:.0f}", value);
  const int exponent = rounded_exponent(value, digits);
  if (exponent < -3 || exponent > 8) return fmt::format("{:.{}g}", value, digits);
  return fixed_point(value, 0, std::max(0, digits - 1 - exponent));
}

std::string joined(std::string number, std::string_view prefix, std::string_view shown) {
  return shown.empty() ? number : number + " " + std::string(prefix) + std::string(shown);
}

std::string non_finite(double value) {
  return std::isnan(value) ? "-" : value < 0.0 ? "-inf" : "inf";
}

/// `value` / 10^`shift` with `digits` significant digits (whole numbers with all digits), padded with spaces on the
/// right so that decimal points of a column align.
std::string aligned(double value, int shift, int decimals, int digits) {
  const int exponent = value == 0.0 ? 0 : rounded_exponent(value, digits) - shift;
  const int own = value == 0.0 ? 0 : std::clamp(digits - 1 - exponent, 0, decimals);
  const int blanks = decimals - own + (own == 0 && decimals > 0 ? 1 : 0);
  return fixed_point(value, shift, own) + std::string(static_cast<std::size_t>(blanks), ' ');
}

struct Magnitudes {
  bool any = false;    ///< at least one value is a number
  double least = 0.0;  ///< least magnitude of the finite nonzero values
  double most = 0.0;
  bool all_whole = true;
};

Magnitudes magnitudes(std::span<const double> values) {
  Magnitudes found;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    found.any = true;
    found.all_whole = found.all_whole && is_whole(value);
    const double magnitude = std::fabs(value);
    if (magnitude == 0.0) continue;
    found.least = found.least == 0.0 ? magnitude : std::min(found.least, magnitude);
    found.most = std::max(found.most, magnitude);
  }
  return found;
}

}  // namespace

std::string shortest(double value) {
  return fmt::format("{}", value);
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string shown_unit(std::string_view unit) {
  if (unit == "1") return {};
  std::string shown;
  std::string below;
  while (!unit.empty()) {
    const std::size_t blank = std::min(unit.find(' '), unit.size());
    std::string_view word = unit.substr(0, blank);
    unit.remove_prefix(std::min(blank + 1, unit.size()));
    std::string& side = word.ends_with("-1") ? below : shown;
    if (word.ends_with("-1")) {
      word.remove_suffix(2);
      side += '/';
    } else if (!side.empty()) {
      side += ' ';
    }
    if (word.starts_with("byte")) {
      side += 'B';
      word.remove_prefix(4);
    }
    side += word;
  }
  return shown + below;
}

std::string with_unit(double value, std::string_view unit, int digits) {
  const auto [shown, factor] = unit_of_people(unit);
  if (!std::isfinite(value)) return non_finite(value);
  value *= factor;
  const Prefixing allowed = prefixing(shown);
  if (value == 0.0) return joined("0", "", shown);
  const int exponent = rounded_exponent(value, digits);
  const int shift = prefix_shift(exponent, allowed);
  if (shift == 0 && (allowed == Prefixing::none || exponent >= digits)) return joined(plain(value, digits), "", shown);
  return joined(fixed_point(value, shift, std::max(0, digits - 1 - (exponent - shift))), prefix_of(shift), shown);
}

std::string input_with_unit(double value, std::string_view unit) {
  constexpr int input_digits = 6;
  std::string text = with_unit(value, unit, input_digits);
  const std::size_t end = std::min(text.find_first_of(" e"), text.size());
  if (text.find('.') >= end) return text;
  std::size_t last = text.find_last_not_of('0', end - 1);
  if (text[last] == '.') --last;
  return text.erase(last + 1, end - last - 1);
}

NumberColumn format_column(std::span<const double> values, std::string_view unit, int digits) {
  NumberColumn column;
  const auto [shown, factor] = unit_of_people(unit);
  std::vector<double> scaled(values.begin(), values.end());
  for (double& value : scaled) value *= factor;
  const Magnitudes found = magnitudes(scaled);
  const Prefixing allowed = prefixing(shown);
  const int most = found.most == 0.0 ? 0 : rounded_exponent(found.most, digits);
  const int least = found.least == 0.0 ? 0 : rounded_exponent(found.least, digits);
  const int shift = prefix_shift(most, allowed);
  const bool whole = found.all_whole && shift == 0;
  const bool common = whole || (found.most <= widest_common_range * found.least &&
                                (allowed != Prefixing::none || (least >= -3 && most <= 8)));
  if (common && found.any) column.unit = std::string(prefix_of(shift)) + shown;
  const int decimals = whole ? 0 : std::max(0, digits - 1 - (least - shift));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]))
      column.cells.push_back(non_finite(values[i]));
    else
      column.cells.push_back(common ? aligned(scaled[i], shift, decimals, digits) : with_unit(values[i], unit, digits));
  }
  return column;
}

}  // namespace dfsweep
