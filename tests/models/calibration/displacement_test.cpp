/// Displacement: numbers move by their logarithm and never leave their range.
#include "models/calibration/displacement.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <limits>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(displacement_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using dfsweep::calibration::displaced;

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

struct Case {
  const char* why;
  double value, highest, x, expected;
};

const Case cases[] = {
    {"nothing moves", 0.7, 1, 0, 0.7},
    {"any positive number: e^x", 6e-6, unbounded, 1, 6e-6 * 2.718281828459045},
    {"a share of a half: odds e^(2x)", 0.5, 1, 0.5, 2.718281828459045 / 3.718281828459045},
    {"of another bound: 0.45 of 0.9 is a half", 0.45, 0.9, 0.5, 0.9 * 2.718281828459045 / 3.718281828459045},
    {"what never happens stays", 0, 1, 3, 0},
    {"what always happens stays", 1, 1, -3, 1},
    {"far up: the bound", 0.9, 1, 1e6, 1},
    {"far down: nothing", 0.9, 1, -1e6, 0},
};

}  // namespace

BOOST_DATA_TEST_CASE(numbers_stay_in_their_range, bdata::make(cases)) {
  BOOST_TEST(displaced(sample.value, sample.highest, sample.x) == sample.expected, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_small_displacement_is_that_of_the_logarithm) {
  for (const double value : {0.1, 0.5, 0.9})
    BOOST_TEST((displaced(value, 1.0, 1e-6) / value - 1.0) / 1e-6 == 1.0, tt::tolerance(1e-4));
}

BOOST_AUTO_TEST_SUITE_END()
