/// Stated errors: by hand without rows, and by simulation for groups that were held back.
#include "models/calibration/stated_error.hpp"

#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "models/statistics/random.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(stated_error_test)

using namespace dfsweep;
using namespace dfsweep::calibration;
namespace bdata = boost::unit_test::data;

namespace {

struct GroupedRows {
  std::vector<double> errors;
  std::vector<std::uint32_t> groups;
};

/// Errors of a bias, of groups and of single rows, all normal.
GroupedRows drawn_rows(std::uint64_t seed, std::uint32_t groups, std::uint32_t rows, double of_groups, double of_rows) {
  const CounterRandom random(seed);
  GroupedRows drawn;
  std::uint64_t k = 0;
  for (std::uint32_t group = 0; group < groups; ++group) {
    const double of_group = of_groups * normal_draw(random, k++);
    for (std::uint32_t row = 0; row < rows; ++row) {
      drawn.errors.push_back(of_group + of_rows * normal_draw(random, k++));
      drawn.groups.push_back(group);
    }
  }
  return drawn;
}

struct Scatter {
  const char* why;
  std::uint32_t groups, rows;
  double of_groups, of_rows;
};
const Scatter scatters[] = {
    {"rows of many groups that err alike", 20, 20, 0.15, 0.05},
    {"rows that are independent", 20, 20, 0.0, 0.15},
    {"few rows in each group", 20, 5, 0.1, 0.1},
    {"a dozen groups", 12, 20, 0.15, 0.1},
};

}  // namespace

/// Ten errors at the middle of the deciles: the 90 % quantile of their widenings is that of the outermost, 1.645 x 0.2.
BOOST_AUTO_TEST_CASE(without_rows_the_known_deviation_decides) {
  const StatedError stated = stated_error({}, {});
  BOOST_TEST(stated.rows == 0U);
  BOOST_TEST(std::isnan(stated.coverage));
  BOOST_TEST(std::abs(stated.log_errors.high - 0.2 * 1.6448536269514722) < 1e-12);
  BOOST_TEST(std::abs(stated.log_errors.low + 0.2 * 1.6448536269514722) < 1e-12);
}

BOOST_AUTO_TEST_CASE(an_interval_contains_its_prediction) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const CounterRandom random(seed);
    GroupedRows rows = drawn_rows(seed, 1 + static_cast<std::uint32_t>(random.index(0, 1, 6)),
                                  1 + static_cast<std::uint32_t>(random.index(0, 2, 4)), 0.1, 0.02);
    for (double& error : rows.errors) error += 0.5;  // all rows on one side
    const StatedError stated = stated_error(rows.errors, rows.groups);
    BOOST_TEST_REQUIRE(stated.log_errors.covers(0.0));
    BOOST_TEST_REQUIRE(stated.log_errors.half_width() > 0.0);
    BOOST_TEST_REQUIRE(stated.median > 0.0);
  }
}

BOOST_AUTO_TEST_CASE(the_order_of_rows_and_the_side_of_errors_do_not_matter) {
  const GroupedRows rows = drawn_rows(7, 9, 7, 0.2, 0.1);
  const StatedError stated = stated_error(rows.errors, rows.groups);
  GroupedRows reversed = rows;
  std::reverse(reversed.errors.begin(), reversed.errors.end());
  std::reverse(reversed.groups.begin(), reversed.groups.end());
  BOOST_TEST(stated_error(reversed.errors, reversed.groups).log_errors.high == stated.log_errors.high);
  GroupedRows mirrored = rows;
  for (double& error : mirrored.errors) error = -error;
  BOOST_TEST(std::abs(stated_error(mirrored.errors, mirrored.groups).log_errors.low + stated.log_errors.high) < 1e-12);
}

/// The next group of each draw is in the interval that the others state in nine of ten cases, and the coverage says so.
BOOST_DATA_TEST_CASE(nine_of_ten_rows_of_the_next_group_are_inside, bdata::make(scatters)) {
  double inside = 0.0, stated_inside = 0.0, all = 0.0;
  constexpr std::uint64_t draws = 300;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    const GroupedRows drawn = drawn_rows(seed, sample.groups + 1, sample.rows, sample.of_groups, sample.of_rows);
    const std::size_t seen = std::size_t{sample.groups} * sample.rows;
    const StatedError stated = stated_error(std::span(drawn.errors).first(seen), std::span(drawn.groups).first(seen));
    stated_inside += stated.coverage / draws;
    for (std::size_t row = seen; row < drawn.errors.size(); ++row) {
      inside += stated.log_errors.covers(drawn.errors[row]) ? 1.0 : 0.0;
      all += 1.0;
    }
  }
  BOOST_TEST(inside / all >= 0.87);
  BOOST_TEST(inside / all <= 0.93);
  BOOST_TEST(stated_inside >= 0.87);
  BOOST_TEST(stated_inside <= 0.93);
}

BOOST_AUTO_TEST_SUITE_END()
