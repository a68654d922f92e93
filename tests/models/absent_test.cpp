/// Absent numbers: which numbers count as given.
#include "models/absent.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <limits>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(absent_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;

namespace {

struct Case {
  const char* why;
  double number;
  bool given;
};

const Case cases[] = {
    {"zero is a number", 0.0, true},
    {"so is a negative zero", -0.0, true},
    {"so is infinity", std::numeric_limits<double>::infinity(), true},
    {"an absent number", absent, false},
    {"the result of arithmetic on it", 2.0 * absent + 1.0, false},
    {"any other NaN", -std::numeric_limits<double>::signaling_NaN(), false},
};

}  // namespace

BOOST_DATA_TEST_CASE(numbers_are_given_unless_they_are_nan, bdata::make(cases), c) {
  BOOST_TEST(is_given(c.number) == c.given);
  BOOST_TEST(is_given(Seconds{c.number}) == c.given);
}

BOOST_AUTO_TEST_SUITE_END()
