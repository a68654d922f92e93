/// Formats numbers independently of the locale: shortest round trip for files, engineering prefixes for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dfsweep {

/// Significant digits of numbers on the terminal.
inline constexpr int shown_digits = 4;

/// 2^53: every whole number up to this one is exact as a double.
inline constexpr double largest_exact_whole = 9007199254740992.0;

/// The shortest decimal text that reads back as the same double ("0.1", "320", "1e+16", "nan", "inf", "-inf").
[[nodiscard]] std::string shortest(double value);

/// "1 row", "320 rows": all digits, so that the number can be pasted. `noun` is singular and gets an s.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// How a unit of the dataset is written on the terminal: "byte" is "B", "byte s-1" is "B/s", "1" is "".
[[nodiscard]] std::string shown_unit(std::string_view unit);

/// A number for people: `digits` significant digits and the unit with an engineering prefix ("3.812 s", "21.40
/// TFLOP/s", "80.00 GB", "0.5512"). Whole numbers without unit have all digits; NaN is "-". Seconds above 1 get no
/// prefix; "1" and powers such as "m2" never get one. Prices and carbon of energy are in USD/kWh and kg/kWh.
[[nodiscard]] std::string with_unit(double value, std::string_view unit, int digits = shown_digits);

/// The same for an input value: up to six digits, no trailing zeros ("80 GB", "0.9", "3.35 TB/s").
[[nodiscard]] std::string input_with_unit(double value, std::string_view unit);

/// A column of numbers for people: one prefix for all, padded with spaces on the right so that decimal points align in
/// right-aligned cells. If magnitudes differ by more than 10^4, every cell has its own prefix and unit, and `unit` is
/// empty.
struct NumberColumn {
  std::string unit;                ///< with prefix ("TFLOP/s"), for the heading
  std::vector<std::string> cells;  ///< one per value
};
[[nodiscard]] NumberColumn format_column(std::span<const double> values, std::string_view unit,
                                         int digits = shown_digits);

}  // namespace dfsweep
