/// The cost of all points from rounds of sampled ones, computed by hand.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <vector>

#include "engine/evaluation/run_cost.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(run_cost_test)

namespace {

using namespace dfsweep;

struct Rounds {
  const char* why;
  std::vector<CostRound> rounds;
  std::uint64_t kept;
  double seconds_per_point;
  double filling_seconds;
};
const std::vector<Rounds> cases = {
    {"nothing is filled: the second time costs as much", {{1, 1, 1}, {8, 8, 8}}, 1000, 1.0, 0.0},
    {"the first point fills all", {{1, 5, 1}, {1, 1, 1}}, 1000, 1.0, 4.0},
    {"each point fills its own: 3 s for each of 1000", {{4, 16, 4}, {4, 16, 4}}, 1000, 1.0, 3000.0},
    {"of a table of 100 values a rate of 1 s is left: 1/e after each 100 points; all of it is 100 s",
     {{100, 163.21205588285577, 100}, {100, 123.25441579348168, 100}},
     1000000,
     1.0,
     100.0},
    {"all points were evaluated", {{1, 5, 1}, {8, 18, 8}}, 8, 1.0, 14.0},
    {"only later points fill, as far as is known each its own", {{10, 10, 10}, {10, 20, 10}}, 100, 1.0, 90.0},
    {"one point is all there is", {{1, 3, 1}}, 1, 1.0, 2.0},
    {"the second time was disturbed", {{1, 1, 2}}, 10, 1.0, 0.0},
};

}  // namespace

BOOST_DATA_TEST_CASE(rounds_tell_the_cost_of_all, boost::unit_test::data::make(cases), c) {
  const RunCost cost = cost_of_all(c.rounds, c.kept);
  BOOST_TEST(cost.seconds_per_point == c.seconds_per_point, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(cost.filling_seconds == c.filling_seconds, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
