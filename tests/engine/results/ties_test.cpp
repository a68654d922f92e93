/// How many first values are a tie: within the expected error of the first, or equal to it.
#include "engine/results/ties.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <vector>

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(ties_test)

BOOST_AUTO_TEST_CASE(values_within_the_error_are_tied) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    std::vector<double> values;
    double error;
    std::size_t tied;
    const char* why;
  };
  const Case cases[] = {
      {{}, 0.1, 0, "no values"},
      {{5.0}, 0.1, 1, "a value alone"},
      {{10.0, 10.9, 11.1}, 0.1, 2, "10 % above 10 is 11"},
      {{10.0, 11.1, 10.5}, 0.1, 1, "the tie ends at the first value beyond"},
      {{100.0, 92.0, 90.0}, 0.1, 2, "of more is better: 100 / 1.1 = 90.9"},
      {{10.0, 10.0, 10.1}, 0.0, 2, "without an error, equal values only"},
      {{10.0, 10.0, 10.1}, none, 2, "likewise where the error is not known"},
      {{0.0, 0.0, 0.1}, 0.1, 2, "nothing is within a factor of zero but zero"},
      {{2.0, -2.0}, 0.1, 1, "values of different signs have no ratio"},
  };
  for (const Case& each : cases) BOOST_TEST(tied_values(each.values, each.error) == each.tied, each.why);
}

BOOST_AUTO_TEST_CASE(one_of_nearly_equal_values_is_kept) {
  struct Case {
    std::vector<double> values;
    std::vector<std::size_t> places;
    const char* why;
  };
  const Case cases[] = {
      {{}, {}, "no values"},
      {{5.0, 5.0, 5.0004, 5.001}, {0, 3}, "0.008 % is nearly equal, 0.02 % is not"},
      {{1.0, 1.00009, 1.00018}, {0, 2}, "what counts is the kept value, not the one before"},
      {{-3.0, -2.9999, -1.0}, {0, 2}, "more is better: values are negative or fall"},
      {{0.0, 0.0, 1e-9}, {0, 2}, "nothing is near zero but zero"},
  };
  for (const Case& each : cases) BOOST_TEST_CONTEXT(each.why)
  BOOST_TEST(places_of_unlike(each.values) == each.places, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
