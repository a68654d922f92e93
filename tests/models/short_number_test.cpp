/// Numbers in messages: amounts with prefixes, and pairs that can be told apart.
#include "models/short_number.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(short_number_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;

namespace {

struct AmountCase {
  double value;
  const char* expected;
};
std::ostream& operator<<(std::ostream& out, const AmountCase& c) {
  return out << c.expected;
}

constexpr AmountCase amount_cases[] = {
    {0, "0 B"},         {1, "1 B"},         {999, "999 B"},
    {1000, "1 kB"},     {1024, "1.024 kB"}, {453.6e9, "453.6 GB"},
    {80e9, "80 GB"},    {999.96e6, "1 GB"}, {999.94e6, "999.9 MB"},
    {1.5e18, "1.5 EB"}, {2e21, "2000 EB"},  {0.5, "0.5 B"},
};

}  // namespace

BOOST_DATA_TEST_CASE(amounts_have_four_digits_and_a_prefix, bdata::make(amount_cases), c) {
  BOOST_TEST(amount_text(c.value, "B") == c.expected);
}

BOOST_AUTO_TEST_CASE(two_amounts_are_told_apart) {
  const auto apart = [](double a, double b) {
    const auto [first, second] = distinct_amounts(a, b, "B");
    return first + " of " + second;
  };
  BOOST_TEST(apart(453.6e9, 80e9) == "453.6 GB of 80 GB");
  BOOST_TEST(apart(80.001e9, 80e9) == "80.001 GB of 80 GB");
  BOOST_TEST(apart(80'000'000'001.0, 80e9) == "80.000000001 GB of 80 GB");
  BOOST_TEST(apart(1000.0, 999.0) == "1 kB of 999 B");
}

BOOST_AUTO_TEST_SUITE_END()
