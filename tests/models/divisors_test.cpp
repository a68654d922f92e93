/// Divisors: against trial division for every small number, and hand-picked hard numbers with known factors.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/divisors.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(divisors_test)

namespace {

using namespace dfsweep;

BOOST_AUTO_TEST_CASE(small_numbers_agree_with_trial_division) {
  for (std::uint64_t number = 1; number <= 20000; ++number) {
    std::vector<double> expected;
    for (std::uint64_t d = 1; d <= number; ++d)
      if (number % d == 0) expected.push_back(static_cast<double>(d));
    BOOST_REQUIRE(divisors_of(static_cast<double>(number)) == expected);
  }
}

struct FactorCase {
  const char* why;
  std::uint64_t number;
  std::vector<std::uint64_t> factors;
};
const FactorCase factor_cases[] = {
    {"one has none", 1, {}},
    {"a shape near 10^18", 1'000'000'000'000'000'000U, std::vector<std::uint64_t>()},
    {"the largest prime below 2^64", 18'446'744'073'709'551'557U, {18'446'744'073'709'551'557U}},
    {"two primes near 10^9", 1'000'000'007ULL * 998'244'353ULL, {998'244'353U, 1'000'000'007U}},
    {"the square of a prime", 999'999'937ULL * 999'999'937ULL, {999'999'937U, 999'999'937U}},
    {"the square of 2^31 - 1", 2'147'483'647ULL * 2'147'483'647ULL, {2'147'483'647U, 2'147'483'647U}},
    {"a strong pseudoprime to the bases 2 to 37 is beyond 2^64; this one fools 2, 3, 5 and 7",
     3'215'031'751U,
     {151U, 751U, 28'351U}},
    {"fools 2 to 17", 341'550'071'728'321U, {10'670'053U, 32'010'157U}},
    {"a Carmichael number", 561, {3, 11, 17}},
};

BOOST_DATA_TEST_CASE(hard_numbers_have_their_factors, boost::unit_test::data::make(factor_cases), c) {
  const std::vector<std::uint64_t> factors = prime_factors(c.number);
  std::uint64_t product = 1;
  for (const std::uint64_t factor : factors) product *= factor;
  BOOST_TEST(product == c.number);
  BOOST_TEST(std::is_sorted(factors.begin(), factors.end()));
  std::vector<std::uint64_t> expected = c.factors;
  if (c.number == 1'000'000'000'000'000'000U)
    for (int i = 0; i < 36; ++i) expected.push_back(i < 18 ? 2 : 5);
  BOOST_TEST(factors == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(numbers_beyond_2_to_the_64_are_a_mantissa_and_twos) {
  const std::vector<double> divisors = divisors_of(std::ldexp(3.0, 80));
  BOOST_REQUIRE(divisors.size() == 2 * 81);
  BOOST_TEST(divisors.front() == 1.0);
  BOOST_TEST(divisors.back() == std::ldexp(3.0, 80));
}

BOOST_AUTO_TEST_CASE(what_is_no_whole_number_has_no_divisors) {
  for (const double number : {0.0, -6.0, 2.5, std::nan(""), std::numeric_limits<double>::infinity()})
    BOOST_TEST(divisors_of(number).empty());
}

BOOST_AUTO_TEST_CASE(a_shape_near_10_to_the_18_has_all_its_divisors) {
  BOOST_TEST(divisors_of(1e18).size() == 19U * 19U);  // 2^18 5^18
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
