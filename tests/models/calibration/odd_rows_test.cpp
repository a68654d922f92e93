/// Rows that contradict the rest, in tables small enough to check by hand.
#include "models/calibration/odd_rows.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(odd_rows_test)

using namespace dfsweep;
using namespace dfsweep::calibration;
namespace bdata = boost::unit_test::data;

namespace {

struct Table {
  const char* why;
  std::vector<double> errors;
  std::vector<std::uint32_t> groups;
  std::vector<std::size_t> odd;
};

const Table tables[] = {
    {"nothing measured", {}, {}, {}},
    {"all alike", {0.1, 0.1, 0.1}, {}, {}},
    {"median 0.01, deviation 1.4826 x 0.01: 0.1 is 6 of them away", {-0.01, 0.0, 0.01, 0.02, 0.1}, {}, {4}},
    {"on either side", {-0.1, 0.0, 0.01, 0.02, 0.12, 0.0, 0.02}, {}, {0, 4}},
    {"0.06 is 3.4 away and not odd", {-0.01, 0.0, 0.01, 0.02, 0.06}, {}, {}},
    {"a group whose error is all of 0.3 is not odd within itself",
     {-0.01, 0.0, 0.01, 0.02, 0.0, 0.0, 0.01, -0.01, 0.29, 0.3, 0.31, 0.3, 0.28},
     {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1},
     {}},
    {"the row of that group that is as the others are is odd within it, but not overall",
     {-0.01, 0.0, 0.01, 0.02, 0.0, 0.0, 0.01, -0.01, 0.29, 0.3, 0.31, 0.3, 0.01},
     {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1},
     {}},
    {"a row of a small group is compared with all rows",
     {-0.01, 0.0, 0.01, 0.02, 0.0, 0.0, 0.01, -0.01, 0.29},
     {0, 0, 0, 0, 0, 0, 0, 0, 1},
     {8}},
    {"most rows equal: any other is odd", {0.1, 0.1, 0.1, 0.2}, {}, {3}},
};

}  // namespace

BOOST_DATA_TEST_CASE(rows_are_named, bdata::make(tables)) {
  std::vector<std::size_t> found;
  for (const OddRow& row : odd_rows(sample.errors, sample.groups)) {
    found.push_back(row.row);
    BOOST_TEST(row.error == sample.errors[row.row]);
    BOOST_TEST(row.deviations > 3.5);
    BOOST_TEST(row.deviations_in_group > 3.5);
  }
  BOOST_TEST(found == sample.odd, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(deviations_are_as_by_hand) {
  const RobustSpread found = robust_spread(std::vector<double>{1.0, 2.0, 3.0, 4.0, 100.0});
  BOOST_TEST(found.median == 3.0);
  BOOST_TEST(std::abs(found.deviation - 1.482602218505602) < 1e-15);  // of distances 2, 1, 0, 1, 97
  BOOST_TEST(std::abs(found.distance(100.0) - 97 / 1.482602218505602) < 1e-12);
}

BOOST_AUTO_TEST_SUITE_END()
