#include "models/divisors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "models/expect.hpp"

namespace dfsweep {
namespace {

__extension__ using Product = unsigned __int128;

constexpr std::array<std::uint64_t, 12> small_primes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

std::uint64_t multiply(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return static_cast<std::uint64_t>(Product{a} * b % modulus);
}

std::uint64_t power(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) {
  std::uint64_t result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = multiply(result, base, modulus);
    base = multiply(base, base, modulus);
  }
  return result;
}

/// Miller-Rabin test for one base: b^odd = 1, or b^(odd 2^i) = -1 for some i.
bool passes(std::uint64_t number, std::uint64_t base, std::uint64_t odd, int twos) {
  std::uint64_t value = power(base, odd, number);
  if (value == 1 || value == number - 1) return true;
  for (int i = 1; i < twos; ++i) {
    value = multiply(value, value, number);
    if (value == number - 1) return true;
  }
  return false;
}

/// Pre: odd, and not divisible by any small prime.
bool is_prime(std::uint64_t number) {
  std::uint64_t odd = number - 1;
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2) ++twos;
  return std::all_of(small_primes.begin(), small_primes.end(),
                     [&](std::uint64_t base) { return passes(number, base, odd, twos); });
}

/// A divisor other than 1, or `number` itself where the sequence x^2 + c cycles without a divisor. The differences
/// between two calls of gcd are multiplied, and repeated one by one where their product is 0.
std::uint64_t divisor_by_rho(std::uint64_t number, std::uint64_t c) {
  constexpr std::uint64_t batch = 128;
  const auto next = [&](std::uint64_t x) { return static_cast<std::uint64_t>((Product{x} * x + c) % number); };
  const auto distance = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; };
  std::uint64_t walker = 2;
  for (std::uint64_t length = 1;; length *= 2) {
    const std::uint64_t anchor = walker;
    for (std::uint64_t i = 0; i < length; ++i) walker = next(walker);
    for (std::uint64_t done = 0; done < length; done += batch) {
      const std::uint64_t begin = walker;
      const std::uint64_t steps = std::min(batch, length - done);
      std::uint64_t product = 1;
      for (std::uint64_t i = 0; i < steps; ++i) {
        walker = next(walker);
        product = multiply(product, distance(anchor, walker), number);
      }
      if (std::gcd(product, number) == 1) continue;
      for (std::uint64_t x = next(begin);; x = next(x))
        if (const std::uint64_t divisor = std::gcd(distance(anchor, x), number); divisor != 1) return divisor;
    }
  }
}

/// Adds the prime factors of `number`. Pre: not divisible by any small prime.
void add_factors(std::uint64_t number, std::vector<std::uint64_t>& factors) {
  if (number == 1) return;
  if (is_prime(number)) {
    factors.push_back(number);
    return;
  }
  std::uint64_t divisor = number;
  for (std::uint64_t c = 1; divisor == number; ++c) divisor = divisor_by_rho(number, c);
  add_factors(divisor, factors);
  add_factors(number / divisor, factors);
}

}  // namespace

std::vector<std::uint64_t> prime_factors(std::uint64_t number) {
  DFSWEEP_EXPECT(number >= 1);
  std::vector<std::uint64_t> factors;
  for (const std::uint64_t prime : small_primes)
    for (; number % prime == 0; number /= prime) factors.push_back(prime);
  add_factors(number, factors);
  std::sort(factors.begin(), factors.end());
  return factors;
}

std::vector<double> divisors_of(double number) {
  if (!std::isfinite(number) || number < 1.0 || number != std::floor(number)) return {};
  int exponent = 0;
  const double fraction = std::frexp(number, &exponent);  // number = fraction * 2^exponent, 53 bits in the fraction
  const int twos_outside = std::max(exponent - 53, 0);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, exponent - twos_outside));
  std::vector<std::uint64_t> factors = prime_factors(mantissa);
  factors.insert(factors.begin(), static_cast<std::size_t>(twos_outside), 2);
  std::vector<double> divisors{1.0};
  for (std::size_t first = 0; first < factors.size();) {
    const std::uint64_t prime = factors[first];
    const std::size_t before = divisors.size();
    double power_of_prime = 1.0;
    for (; first < factors.size() && factors[first] == prime; ++first) {
      power_of_prime *= static_cast<double>(prime);
      for (std::size_t i = 0; i < before; ++i) divisors.push_back(divisors[i] * power_of_prime);
    }
  }
  std::sort(divisors.begin(), divisors.end());
  return divisors;
}

}  // namespace dfsweep
