/// Numbers in messages.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace dfsweep {

/// The shortest text that tells the number to six digits.
[[nodiscard]] std::string short_number(double value);

/// An amount from 0 in base units with the SI prefix that leaves one to three digits before the point, rounded to
/// `digits` significant digits: "453.6 GB". Pre: 1 <= digits <= 17.
[[nodiscard]] std::string amount_text(double value, std::string_view unit, int digits = 4);

/// Both with four digits, or with as many as it takes to tell one from the other.
[[nodiscard]] std::pair<std::string, std::string> distinct_amounts(double a, double b, std::string_view unit);

}  // namespace dfsweep
