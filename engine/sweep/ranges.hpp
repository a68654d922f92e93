/// Computes the values of ranges: powers, divisors, evenly spaced points, steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dfsweep {

enum class Scale : std::uint8_t { linear, logarithmic };

inline constexpr std::uint64_t max_values = 10'000'000;  ///< limit of values of one axis

/// Powers of `base` in [from, to], ascending; exact for whole numbers below 2^53 and their inverses. Pre: base >= 2, 0
/// < from <= to.
[[nodiscard]] std::vector<double> powers_between(std::uint64_t base, double from, double to);

/// Numbers that divide at least one of `numbers`, ascending. Pre: each is in [1, 2^53].
[[nodiscard]] std::vector<double> divisors_of_any(const std::vector<std::uint64_t>& numbers);

/// `points` numbers from `from` to `to`, ends exact; in extended precision, so that 0 to 1 in 11 points contains 0.3.
/// Pre: points >= 2, from < to; logarithmic: from > 0.
[[nodiscard]] std::vector<double> spaced(double from, double to, std::uint64_t points, Scale scale);

/// from, from + step, ... up to at most `to`; sums of short decimals are short decimals (0.1 + 2 * 0.1 is 0.3).
/// Pre: step > 0, from <= to, at most `max_values` of them.
[[nodiscard]] std::vector<double> stepped(double from, double to, double step);

/// The whole number nearest to `value`, if the relative difference is below 1e-12 (rounding errors).
[[nodiscard]] std::optional<double> nearly_whole(double value);

}  // namespace dfsweep
