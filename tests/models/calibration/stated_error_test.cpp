/// Stated errors and their quantile: by hand, and by simulation for values and groups that were held back.
#include "models/calibration/stated_error.hpp"

#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "models/calibration/error_summary.hpp"
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

/// Errors of a bias, of groups and of single rows, all normal. The first two groups have `larger` times the rows.
GroupedRows drawn_rows(std::uint64_t seed, std::uint32_t groups, std::uint32_t rows, double of_groups, double of_rows,
                       std::uint32_t larger = 1) {
  const CounterRandom random(seed);
  GroupedRows drawn;
  std::uint64_t k = 0;
  for (std::uint32_t group = 0; group < groups; ++group) {
    const double of_group = of_groups * normal_draw(random, k++);
    for (std::uint32_t row = 0; row < (group < 2 ? larger : 1) * rows; ++row) {
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
  std::uint32_t larger = 1;
};
const Scatter scatters[] = {
    {"rows of many groups that err alike", 20, 20, 0.15, 0.05},
    {"rows that are independent", 20, 20, 0.0, 0.15},
    {"few rows in each group", 20, 5, 0.1, 0.1},
    {"a dozen groups", 12, 20, 0.15, 0.1},
    {"eight groups, of which two have most rows", 8, 20, 0.12, 0.13, 12},
    {"three groups, of which two have most rows", 3, 20, 0.1, 0.1, 3},
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_quantile_of_the_next_value_is_at_nine_tenths_of_one_value_more) {
  BOOST_TEST(quantile_of_next(std::vector{5.0, 1.0, 3.0, 2.0, 4.0, 9.0, 8.0, 7.0, 6.0}, 0.9) == 9.0);
  BOOST_TEST(quantile_of_next(std::vector{1.0, 2.0, 3.0, 4.0}, 0.5) == 2.5);
  BOOST_TEST(quantile_of_next(std::vector{1.0, 2.0, 3.0, 4.0}, 0.7) == 3.5);
  BOOST_TEST(quantile_of_next(std::vector{1.0, 2.0, 3.0, 4.0}, 0.9) == 4.0);
  BOOST_TEST(quantile_of_next(std::vector{1.0, 2.0, 3.0, 4.0}, 0.1) == 1.0);
  BOOST_TEST(quantile_of_next({}, 0.9) == 0.0);
}

/// Of uniform values the probability that the next one is below a number is that number.
BOOST_AUTO_TEST_CASE(nine_of_ten_next_values_are_below_their_quantile) {
  for (const std::uint64_t count : {9U, 12U, 40U}) {
    constexpr std::uint64_t draws = 4000;
    double below = 0.0, below_described = 0.0;
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      std::vector<double> values;
      for (std::uint64_t i = 0; i < count; ++i) values.push_back(CounterRandom(3).uniform(draw << 32 | i));
      below += quantile_of_next(values, 0.9) / draws;
      below_described += quantile(values, 0.9) / draws;
    }
    BOOST_TEST(std::abs(below - 0.9) < 0.005);
    BOOST_TEST(below_described < 0.9 - 0.5 / static_cast<double>(count));
  }
}

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
  BOOST_TEST(stated_error(mirrored.errors, mirrored.groups).log_errors.high == stated.log_errors.high);
  BOOST_TEST(stated.log_errors.low == -stated.log_errors.high);
}

/// Two groups of 100 rows that are off by a fifth to different sides: neither says on which side the other is, and an
/// interval with quantiles of each side for itself would contain no row of the group that is left out.
BOOST_AUTO_TEST_CASE(a_group_on_the_other_side_is_inside) {
  GroupedRows rows = drawn_rows(11, 2, 100, 0.0, 0.05);
  for (std::size_t i = 0; i < rows.errors.size(); ++i) rows.errors[i] += rows.groups[i] == 0 ? 0.2 : -0.2;
  BOOST_TEST(stated_error(rows.errors, rows.groups).coverage >= 0.8);
}

/// The next group of each draw is in the interval that the others state in nine of ten cases, and the coverage says so.
BOOST_DATA_TEST_CASE(nine_of_ten_rows_of_the_next_group_are_inside, bdata::make(scatters)) {
  double inside = 0.0, stated_inside = 0.0, all = 0.0;
  constexpr std::uint64_t draws = 300;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    const GroupedRows drawn =
        drawn_rows(seed, sample.groups + 1, sample.rows, sample.of_groups, sample.of_rows, sample.larger);
    const std::size_t seen = drawn.errors.size() - sample.rows;
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

/// Where a small group is off by far more than a large one, the share of all rows hides it.
BOOST_AUTO_TEST_CASE(each_group_counts_once_in_the_mean_of_groups) {
  GroupedRows rows = drawn_rows(12, 3, 10, 0.0, 0.05, 9);
  for (std::size_t i = 180; i < 190; ++i) rows.errors[i] += 2.0;
  const StatedError stated = stated_error(rows.errors, rows.groups);
  BOOST_TEST(std::abs(stated.coverage - 180.0 / 190.0) < 0.01);
  BOOST_TEST(std::abs(stated.coverage_of_groups - 2.0 / 3.0) < 0.01);
}

/// Three groups are three cases, however many rows they have: the coverage is 90 % on average and scatters by five
/// points.
BOOST_AUTO_TEST_CASE(the_coverage_of_three_groups_is_uncertain) {
  constexpr std::uint64_t draws = 300;
  double squares = 0.0;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    const GroupedRows drawn = drawn_rows(seed, 3, 20, 0.1, 0.1, 3);
    const StatedError stated = stated_error(drawn.errors, drawn.groups);
    BOOST_TEST_REQUIRE(stated.groups == 3U);
    squares += std::pow(stated.coverage - stated_share, 2) / draws;
  }
  BOOST_TEST(std::sqrt(squares) > 0.04);
  BOOST_TEST(std::sqrt(squares) < 0.06);
}

BOOST_AUTO_TEST_SUITE_END()
