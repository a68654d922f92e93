/// Arithmetic of ranges. Formulas that round use extended precision, so that results are the expected doubles on every
/// processor.
#include "engine/sweep/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string>

#include "models/divisors.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// Rounds to 15 significant decimal digits; whole numbers are unchanged.
double decimal(long double value) {
  const auto plain = static_cast<double>(value);
  if (plain == std::trunc(plain)) return plain;
  const std::string text = fmt::format("{:.15g}", plain);
  double result = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

}  // namespace

std::vector<double> powers_between(std::uint64_t base, double from, double to) {
  DFSWEEP_EXPECT(base >= 2 && from > 0.0 && from <= to);
  const auto b = static_cast<double>(base);
  std::vector<double> powers;
  std::vector<double> inverses;
  for (double power = b; std::isfinite(power) && 1.0 / power >= from; power *= b)
    if (1.0 / power <= to) inverses.push_back(1.0 / power);
  powers.assign(inverses.rbegin(), inverses.rend());
  for (double power = 1.0; power <= to && std::isfinite(power); power *= b)
    if (power >= from) powers.push_back(power);
  return powers;
}

std::vector<double> divisors_of_any(const std::vector<std::uint64_t>& numbers) {
  std::set<double> found;
  for (const std::uint64_t number : std::set<std::uint64_t>(numbers.begin(), numbers.end())) {
    DFSWEEP_EXPECT(number >= 1 && number <= (std::uint64_t{1} << 53));
    const std::vector<double> divisors = divisors_of(static_cast<double>(number));
    found.insert(divisors.begin(), divisors.end());
  }
  return {found.begin(), found.end()};
}

std::vector<double> spaced(double from, double to, std::uint64_t points, Scale scale) {
  DFSWEEP_EXPECT(points >= 2 && points <= max_values && from < to && (scale == Scale::linear || from > 0.0));
  std::vector<double> values(points);
  const long double first = from;
  const long double last = to;
  for (std::uint64_t i = 0; i < points; ++i) {
    const long double fraction = static_cast<long double>(i) / static_cast<long double>(points - 1);
    values[i] = scale == Scale::linear ? decimal(first + (last - first) * fraction)
                                       : static_cast<double>(first * std::pow(last / first, fraction));
  }
  values.front() = from;
  values.back() = to;
  return values;
}

std::vector<double> stepped(double from, double to, double step) {
  DFSWEEP_EXPECT(step > 0.0 && from <= to && (to - from) / step <= static_cast<double>(max_values));
  std::vector<double> values;
  for (std::uint64_t i = 0;; ++i) {
    const double value =
        decimal(static_cast<long double>(from) + static_cast<long double>(step) * static_cast<long double>(i));
    if (value > to) return values;
    values.push_back(value);
  }
}

std::optional<double> nearly_whole(double value) {
  const double whole = std::round(value);
  if (std::abs(value - whole) <= 1e-12 * std::abs(value)) return whole;
  return std::nullopt;
}

}  // namespace dfsweep
