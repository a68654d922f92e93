/// The ranges of a sweep file, as lists of numbers: powers, divisors, evenly spaced points, steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dfsweep {

enum class Scale : std::uint8_t { linear, logarithmic };

inline constexpr std::uint64_t most_values = 10'000'000;  ///< of one axis

/// Powers of `base` in [from, to], ascending: exact while they are whole numbers below 2^53 or their inverses.
/// Pre: base >= 2, 0 < from <= to.
[[nodiscard]] std::vector<double> powers_between(std::uint64_t base, double from, double to);

/// Numbers that divide at least one of `numbers`, ascending. Pre: each is in [1, 2^53].
[[nodiscard]] std::vector<double> divisors_of_any(const std::vector<std::uint64_t>& numbers);

/// `points` numbers from `from` to `to`, both exactly; computed in extended precision, so that 0 to 1 in 11 points
/// holds 0.3. Pre: points >= 2, from < to; logarithmic: from > 0.
[[nodiscard]] std::vector<double> spaced(double from, double to, std::uint64_t points, Scale scale);

/// from, from + step, ... up to at most `to`; sums of short decimals are short decimals (0.1 + 2 * 0.1 is 0.3).
/// Pre: step > 0, from <= to, at most `most_values` of them.
[[nodiscard]] std::vector<double> stepped(double from, double to, double step);

/// The whole number that `value` is but for rounding errors of its computation (1e-12 relative), if there is one.
[[nodiscard]] std::optional<double> nearly_whole(double value);

}  // namespace dfsweep
