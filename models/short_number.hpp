/// Numbers in messages.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace dfsweep {

/// The shortest text with up to six significant digits.
[[nodiscard]] std::string short_number(double value);

/// An amount of at least 0, with the SI prefix that leaves one to three digits before the decimal point, rounded to
/// `digits` significant digits: "453.6 GB". Pre: 1 <= digits <= 17.
[[nodiscard]] std::string amount_text(double value, std::string_view unit, int digits = 4);

/// Both with four digits, or with as many as are needed to make the texts differ.
[[nodiscard]] std::pair<std::string, std::string> distinct_amounts(double a, double b, std::string_view unit);

}  // namespace dfsweep
