/// Errors of rows, by hand.
#include "engine/measurements/error_table.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(error_table_test)

namespace {

JoinedRow measured_row(std::uint64_t line, const std::string& group, double measured, double predicted) {
  JoinedRow row;
  row.line = line;
  row.group = group;
  row.measured = measured;
  row.predicted = predicted;
  return row;
}

/// Ratios 1.2, 0.5, 1 and 1.25 of three rows of north and one of south; one row of south without prediction.
MeasuredMetric five_rows() {
  MeasuredMetric metric;
  metric.rows = {measured_row(2, "north", 10, 12), measured_row(3, "north", 4, 2), measured_row(4, "south", 8, 8),
                 measured_row(5, "south", 1, 0), measured_row(6, "north", 4, 5)};
  metric.rows[3].problem = "the result has no such row";
  return metric;
}

bool is_near(double a, double b) {
  return std::abs(a - b) < 1e-12;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_rows_come_first_then_groups_in_the_order_of_the_file) {
  const std::vector<ErrorLine> lines = error_lines(five_rows());
  BOOST_REQUIRE_EQUAL(lines.size(), 3U);
  BOOST_TEST(lines[0].group.empty());
  BOOST_TEST(lines[0].measured == 5U);
  BOOST_TEST(lines[0].joined == 4U);
  BOOST_TEST(is_near(lines[0].median, 0.225));        // of 0, 0.2, 0.25, 0.5
  BOOST_TEST(is_near(lines[0].percentile90, 0.425));  // 0.7 of the way from 0.25 to 0.5
  BOOST_TEST(is_near(lines[0].within_third, 0.75));
  BOOST_TEST(is_near(lines[0].within_half, 0.75));  // half of the measured is a factor of two
  BOOST_TEST(is_near(lines[0].predicted_ratio, std::pow(0.75, 0.25)));
  BOOST_TEST(lines[1].group == "north");
  BOOST_TEST(is_near(lines[1].median, 0.25));
  BOOST_TEST(lines[2].group == "south");
  BOOST_TEST(lines[2].joined == 1U);
  BOOST_TEST(lines[2].percentile90 == 0.0);
}

BOOST_AUTO_TEST_CASE(one_group_has_no_line_of_its_own) {
  MeasuredMetric metric;
  metric.rows = {measured_row(2, "", 1, 2), measured_row(3, "", 1, 1)};
  BOOST_TEST(error_lines(metric).size() == 1U);
}

BOOST_AUTO_TEST_CASE(without_predictions_there_are_no_errors) {
  MeasuredMetric metric;
  metric.rows = {five_rows().rows[3]};
  BOOST_TEST(std::isnan(error_lines(metric)[0].median));
  BOOST_TEST(std::isnan(error_at(metric, 0.5)));
  BOOST_TEST(worst_first(metric).empty());
}

BOOST_AUTO_TEST_CASE(far_rows_come_first_whether_too_slow_or_too_fast) {
  const std::vector<std::size_t> expected = {1, 4, 0, 2};  // factors 2, 1.25, 1.2, 1
  BOOST_TEST(worst_first(five_rows()) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
