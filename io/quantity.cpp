/// Recursive-descent parser of quantities and units.
#include "io/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace dfsweep {

namespace {

struct NamedUnit {
  std::string_view name;
  ScaledUnit unit;
  bool takes_prefixes = true;
};
constexpr NamedUnit named_units[] = {{"s", {{.second = 1}}},
                                     {"B", {{.byte = 1}}},
                                     {"FLOP", {{.flop = 1}}},
                                     {"J", {{.joule = 1}}},
                                     {"W", {{.second = -1, .joule = 1}}},
                                     {"Wh", {{.joule = 1}, 0, 0, 0, 1}},
                                     {"Hz", {{.second = -1}}},
                                     {"USD", {{.dollar = 1}}},
                                     {"g", {{.kilogram = 1}, -3}},
                                     {"min", {{.second = 1}, 0, 0, 1}, false},
                                     {"h", {{.second = 1}, 0, 0, 0, 1}, false},
                                     {"d", {{.second = 1}, 0, 0, 0, 0, 1}, false}};

struct Prefix {
  std::string_view text;
  int decimal;
  int binary;
};
constexpr std::array<Prefix, 12> unit_prefixes{{{"Ki", 0, 10},
                                                {"Mi", 0, 20},
                                                {"Gi", 0, 30},
                                                {"Ti", 0, 40},
                                                {"n", -9, 0},
                                                {"u", -6, 0},
                                                {"m", -3, 0},
                                                {"k", 3, 0},
                                                {"M", 6, 0},
                                                {"G", 9, 0},
                                                {"T", 12, 0},
                                                {"P", 15, 0}}};

constexpr std::size_t max_unit_length = 64;
constexpr std::size_t max_numeral_length = 400;

std::optional<ScaledUnit> unit_of_name(std::string_view name) {
  for (const NamedUnit& unit : named_units)
    if (unit.name == name) return unit.unit;
  for (const Prefix& prefix : unit_prefixes) {
    if (!name.starts_with(prefix.text)) continue;
    for (const NamedUnit& named : named_units) {
      const bool is_taken = named.takes_prefixes && (prefix.binary == 0 || named.name == "B");
      if (!is_taken || named.name != name.substr(prefix.text.size())) continue;
      ScaledUnit prefixed = named.unit;
      prefixed.decimal += prefix.decimal;
      prefixed.binary += prefix.binary;
      return prefixed;
    }
  }
  return std::nullopt;
}

/// Suggestion for an unknown unit name.
std::string hint_for(std::string_view name) {
  std::string_view rest = name;
  for (const Prefix& prefix : unit_prefixes)
    if (name.starts_with(prefix.text) && name.size() > prefix.text.size()) {
      rest = name.substr(prefix.text.size());
      break;
    }
  if (rest == "b" || rest == "bit" || rest == "bits" || rest == "bps" || rest == "Bit")
    return "Bits are not used: write bytes, 8 Gbit/s is \"1 GB/s\"";
  if (rest == "Bps") return "Write \"GB/s\"";
  if (rest == "FLOPS" || rest == "FLOPs" || rest == "flops" || rest == "Flops" || rest == "flop" || rest == "OPS")
    return "Write \"TFLOP/s\" for a rate and \"TFLOP\" for an amount";
  if (name.starts_with("K")) return "Write 'k' for 1000 and 'Ki' for 1024";
  if (name == "$" || name == "usd" || name == "dollar" || name == "dollars") return "Write \"USD\"";
  if (name.starts_with("\xc2\xb5") || name.starts_with("\xce\xbc")) return "Write the prefix of a millionth as 'u'";
  if (name == "sec" || name == "second" || name == "seconds") return "Write \"s\"";
  if (name.starts_with("minute") || name.starts_with("hour")) return "Write \"min\" or \"h\"";
  return "Units: s, B, FLOP, J, W, Wh, Hz, USD, g with prefixes n u m k M G T P (and Ki Mi Gi Ti for B), min, h, d";
}

class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  std::variant<ScaledUnit, QuantityProblem> parse() {
    if (text_.size() > max_unit_length) return QuantityProblem{0, "unit is too long", ""};
    const ScaledUnit unit = text_.starts_with('/') ? product({}) : product(factor());
    if (!problem_ && at_ < text_.size()) fail(at_, "unexpected text after the unit", "");
    if (problem_) return *problem_;
    return unit;
  }

 private:
  ScaledUnit product(ScaledUnit result) {
    while (!problem_ && at_ < text_.size() && (text_[at_] == '*' || text_[at_] == '/')) {
      const int sign = text_[at_++] == '*' ? 1 : -1;
      const ScaledUnit next = factor();
      result.exponents.second += sign * next.exponents.second;
      result.exponents.byte += sign * next.exponents.byte;
      result.exponents.flop += sign * next.exponents.flop;
      result.exponents.joule += sign * next.exponents.joule;
      result.exponents.dollar += sign * next.exponents.dollar;
      result.exponents.kilogram += sign * next.exponents.kilogram;
      result.decimal += sign * next.decimal;
      result.binary += sign * next.binary;
      result.minutes += sign * next.minutes;
      result.hours += sign * next.hours;
      result.days += sign * next.days;
    }
    return result;
  }

  ScaledUnit factor() {
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      const ScaledUnit inner = product(factor());
      if (!problem_ && (at_ >= text_.size() || text_[at_] != ')')) fail(at_, "unit has no closing ')'", "");
      ++at_;
      return inner;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::string_view("*/()").find(text_[at_]) == std::string_view::npos) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name == "1") return {};
    if (const auto unit = unit_of_name(name)) return *unit;
    if (name.empty())
      fail(begin, "unit is incomplete", "");
    else
      fail(begin, fmt::format("unknown unit '{}'", name), hint_for(name));
    return {};
  }

  void fail(std::size_t offset, std::string problem, std::string hint) {
    if (!problem_) problem_ = QuantityProblem{offset, std::move(problem), std::move(hint)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<QuantityProblem> problem_;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Length of the decimal number at the start of `text`: [+-] digits [. digits] [(e|E) [+-] digits]; 0 if there is no
/// number.
std::size_t number_length(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    return i - begin;
  };
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  if (digits() == 0) return 0;
  if (i + 1 < text.size() && text[i] == '.' && is_digit(text[i + 1])) {
    ++i;
    digits();
  }
  const std::size_t end = i;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() > 0) return i;
  }
  return end;
}

/// `number` in base units; rounded once without minutes, hours and days. Pre: `number` is a decimal number.
std::variant<double, QuantityProblem> scaled(std::string_view number, const ScaledUnit& unit) {
  const int decimal = unit.decimal;
  if (number.size() > max_numeral_length) return QuantityProblem{0, "number is too long", ""};
  if (number.front() == '+') number.remove_prefix(1);
  std::string text(number);
  if (decimal != 0) {
    const std::size_t e = number.find_first_of("eE");
    int written = 0;
    if (e != std::string_view::npos) {
      std::string_view exponent = number.substr(e + 1);
      if (exponent.front() == '+') exponent.remove_prefix(1);
      if (std::from_chars(exponent.data(), exponent.data() + exponent.size(), written).ec != std::errc{} ||
          std::abs(written) > 100000)
        return QuantityProblem{0, "number is out of range", ""};
    }
    text = fmt::format("{}e{}", number.substr(0, e), written + decimal);
  }
  double value = 0.0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size())
    return QuantityProblem{0, "number is out of range", "Allowed: 2.3e-308 to 1.7e308"};
  value = std::ldexp(value, unit.binary);
  const std::pair<int, double> times[] = {{unit.minutes, 60.0}, {unit.hours, 3600.0}, {unit.days, 86400.0}};
  for (const auto& [exponent, seconds] : times) {
    for (int i = 0; i < exponent; ++i) value *= seconds;
    for (int i = 0; i > exponent; --i) value /= seconds;
  }
  if (!std::isfinite(value) || (value != 0.0 && !std::isnormal(value)))
    return QuantityProblem{0, "number is out of range", "Allowed: 2.3e-308 to 1.7e308"};
  return value;
}

/// From this value on, a number of bytes or FLOP is assumed to be in base units.
constexpr double min_base_amount = 1e6;

/// As parse_quantity(), without hints that propose another spelling of the same quantity.
std::variant<QuantityText, QuantityProblem> without_respelling(std::string_view text) {
  const std::size_t length = number_length(text);
  if (length == 0)
    return QuantityProblem{0, fmt::format("'{}' is not a quantity", text), "Write a number, a space and a unit"};
  const std::string_view number = text.substr(0, length);
  std::size_t begin = length;
  while (begin < text.size() && text[begin] == ' ') ++begin;
  QuantityText result;
  if (begin < text.size()) {
    if (begin == length)
      return QuantityProblem{length, fmt::format("'{}' needs a space between number and unit", text), ""};
    const auto unit = parse_unit(text.substr(begin));
    if (const auto* problem = std::get_if<QuantityProblem>(&unit))
      return QuantityProblem{begin + problem->offset, problem->problem, problem->hint};
    result.unit = std::get<ScaledUnit>(unit);
    result.has_unit = true;
  }
  const auto value = scaled(number, result.unit);
  if (const auto* problem = std::get_if<QuantityProblem>(&value)) return *problem;
  result.value = std::get<double>(value);
  return result;
}

/// Number and unit with one space between them and no spaces inside the unit ("30 kUSD" for "30k USD"); empty if that
/// is not a quantity either.
std::string respelled(std::string_view number, std::string_view unit) {
  std::string joined(unit);
  std::erase(joined, ' ');
  const std::string text = fmt::format("{} {}", number, joined);
  return std::holds_alternative<QuantityText>(without_respelling(text)) ? text : "";
}

bool is_quantity_of(const std::string& text, std::string_view unit) {
  const auto parsed = without_respelling(text);
  const auto wanted = parse_unit(unit);
  const auto* quantity = std::get_if<QuantityText>(&parsed);
  const auto* scale = std::get_if<ScaledUnit>(&wanted);
  return quantity != nullptr && scale != nullptr && quantity->has_unit && quantity->unit.exponents == scale->exponents;
}

/// The same value with the prefix that puts it between 1 and 1000, if that keeps every digit.
std::string in_engineering_prefix(double value, std::string_view unit) {
  for (auto prefix = unit_prefixes.rbegin(); prefix != unit_prefixes.rend(); ++prefix) {
    if (prefix->binary != 0) continue;
    const double mantissa = value / std::pow(10.0, prefix->decimal);
    if (std::abs(mantissa) < 1.0 || std::abs(mantissa) >= 1000.0) continue;
    const std::string text = fmt::format("{:.6g} {}{}", mantissa, prefix->text, unit);
    const auto parsed = without_respelling(text);
    if (const auto* quantity = std::get_if<QuantityText>(&parsed); quantity != nullptr && quantity->value == value)
      return text;
  }
  const std::string text = fmt::format("{} {}", number_text(value), unit);
  return is_quantity_of(text, unit) ? text : "";
}

}  // namespace

double in_base_units(const ScaledUnit& unit) {
  return std::get<double>(scaled("1", unit));
}

std::variant<ScaledUnit, QuantityProblem> parse_unit(std::string_view text) {
  return UnitParser(text).parse();
}

std::variant<double, QuantityProblem> parse_number(std::string_view text) {
  if (text.empty() || number_length(text) != text.size())
    return QuantityProblem{0, fmt::format("'{}' is not a number", text), ""};
  return scaled(text, {});
}

std::variant<QuantityText, QuantityProblem> parse_quantity(std::string_view text) {
  auto parsed = without_respelling(text);
  const std::size_t number = number_length(text);
  if (auto* problem = std::get_if<QuantityProblem>(&parsed); problem != nullptr && number > 0) {
    const std::string meant = respelled(text.substr(0, number), text.substr(number));
    if (!meant.empty()) problem->hint = fmt::format("Write \"{}\"", meant);
  }
  return parsed;
}

std::string suggested_quantity(std::string_view number, std::string_view unit) {
  const auto parsed = parse_number(number);
  const double* value = std::get_if<double>(&parsed);
  if (value == nullptr) return "";
  const bool counts_large = unit == "B" || unit == "B/s" || unit == "FLOP" || unit == "FLOP/s";
  const bool is_base = (counts_large && std::abs(*value) >= min_base_amount) || (unit == "s" && std::abs(*value) < 1.0);
  if (is_base) return in_engineering_prefix(*value, unit);
  const std::string meant = fmt::format("{} {}{}", number, counts_large ? "G" : unit == "s" ? "u" : "", unit);
  return is_quantity_of(meant, unit) ? meant : "";
}

std::string number_text(double value) {
  if (value == std::trunc(value) && std::abs(value) < 1e6) return fmt::format("{}", static_cast<int>(value));
  std::array<char, 32> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), written.ptr);
  // "2e+09" becomes "2e9", as people write it.
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  const bool negative = text[e + 1] == '-';
  const std::size_t digits = text.find_first_not_of('0', e + 2);
  return text.substr(0, e + 1) + (negative ? "-" : "") + text.substr(digits);
}

}  // namespace dfsweep
