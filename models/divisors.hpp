/// Divisors of whole numbers up to about 10^18, in milliseconds where trial division would take minutes.
#pragma once

#include <cstdint>
#include <vector>

namespace dfsweep {

/// Prime factors with multiplicity, ascending; empty for 1.
///
/// Small primes by trial division, then Brent's variant of Pollard's rho [brent1980rho], with the Miller-Rabin test for
/// the first twelve primes as bases, which is exact below 3.3e24 [sorenson2017primes]. Pre: number >= 1.
[[nodiscard]] std::vector<std::uint64_t> prime_factors(std::uint64_t number);

/// All divisors, ascending; empty where `number` is not a positive whole number. Every divisor of a whole double is
/// exact as a double.
[[nodiscard]] std::vector<double> divisors_of(double number);

}  // namespace dfsweep
