/// Quantities as users write them: "993.2 TFLOP/s", "2 USD/(GB/s)", "80 GiB"; converted to base SI, correctly rounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace dfsweep {

/// Exponents of the base units, s, B, FLOP, J, USD and kg.
struct UnitExponents {
  int second = 0;
  int byte = 0;
  int flop = 0;
  int joule = 0;
  int dollar = 0;
  int kilogram = 0;
  bool operator==(const UnitExponents&) const = default;
};

/// A unit: 10^decimal * 2^binary * 60^minutes * 3600^hours * 86400^days base units.
struct ScaledUnit {
  UnitExponents exponents;
  int decimal = 0;
  int binary = 0;
  int minutes = 0;
  int hours = 0;
  int days = 0;
};

struct QuantityText {
  double value = 0.0;  ///< base SI units; the double nearest to what is written
  ScaledUnit unit;
  bool has_unit = false;
};

struct QuantityProblem {
  std::size_t offset = 0;  ///< position in the text
  std::string problem;
  std::string hint;
};

/// unit = factor {("*" | "/") factor}; factor = "1" | [prefix] name | "(" unit ")", read from left to right;
/// "/s" is "1/s".
/// Names: s, min, h, d, B, FLOP, J, W (= J/s), Wh (= 3600 J), Hz (= 1/s), USD, g. Prefixes, but for min, h and d: n u m
/// k M G T P, and with B also Ki Mi Gi Ti.
[[nodiscard]] std::variant<ScaledUnit, QuantityProblem> parse_unit(std::string_view text);

/// One of the unit in base units: 1000 of "kB", 86400 of "d".
[[nodiscard]] double in_base_units(const ScaledUnit& unit);

/// number [space unit]. The decimal prefix is joined to the number's exponent before conversion, so that
/// "993.2 TFLOP/s" is the double nearest to 993.2e12; minutes, hours and days are rounded once more. Not finite, or too
/// small for a normal double: a problem.
[[nodiscard]] std::variant<QuantityText, QuantityProblem> parse_quantity(std::string_view text);

/// A plain decimal number (no unit, no spaces, locale-independent).
[[nodiscard]] std::variant<double, QuantityProblem> parse_number(std::string_view text);

/// Suggests the quantity for a number without a unit. A number of the size that is usual in base units keeps its value:
/// 3350e9 in B/s is "3.35 TB/s". Any other number gets the usual prefix: 3350 in B/s is "3350 GB/s". The result is
/// valid for parse_quantity(); empty if there is no suggestion.
[[nodiscard]] std::string suggested_quantity(std::string_view number, std::string_view unit);

/// Shortest decimal text that reads back as the same double: "1024", "2e12", "0.1", "nan".
[[nodiscard]] std::string number_text(double value);

}  // namespace dfsweep
