/// Contradictions of linear problems, whose deviations are computed by hand.
#include "models/calibration/contradiction.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "tests/support/linear_calibration.hpp"

BOOST_AUTO_TEST_SUITE(contradiction_test)

using namespace dfsweep;
using namespace dfsweep::calibration;
using dfsweep::testing::linear_problem;

namespace {

/// Rows of slope 1 in one unknown of spread 0.3: deviation sqrt(0.3^2 + 0.1^2 + 2.6995 x 0.08^2) with sources of 0.1.
CalibrationProblem equal_rows(const std::vector<double>& observed) {
  CalibrationProblem problem =
      linear_problem(Eigen::MatrixXd::Ones(static_cast<Eigen::Index>(observed.size()), 1), 0.3);
  problem.observed = observed;
  problem.loss_scale = 0.08;
  return problem;
}
const double deviation = std::sqrt(0.09 + 0.01 + 2.699483935593789 * 0.0064);

}  // namespace

BOOST_AUTO_TEST_CASE(deviations_are_as_by_hand) {
  const std::vector<double> found = known_deviations(equal_rows({0.0, 0.5}), 0.1);
  BOOST_TEST(std::abs(found[0] - deviation) < 1e-6);
  BOOST_TEST(std::abs(found[1] - deviation) < 1e-6);
  CalibrationProblem grouped = equal_rows({0.0});
  grouped.groups = {0};
  grouped.group_count = 1;
  grouped.group_spread = 0.4;  // wider than the least
  BOOST_TEST(std::abs(known_deviations(grouped, 0.1)[0] - std::sqrt(0.09 + 0.16 + 2.699483935593789 * 0.0064)) < 1e-6);
}

BOOST_AUTO_TEST_CASE(rows_beyond_three_deviations_are_named) {
  const double thousand = std::log(1000.0);  // milliseconds written as seconds
  const std::vector<ContradictedRow> found = contradicted_rows(
      equal_rows({0.0, thousand, -thousand, 2.99 * deviation, 3.01 * deviation, -2.99 * deviation}), 0.1);
  BOOST_TEST_REQUIRE(found.size() == 3U);
  BOOST_TEST(found[0].row == 1U);
  BOOST_TEST(std::abs(found[0].error + thousand) < 1e-12);
  BOOST_TEST(found[1].row == 2U);
  BOOST_TEST(found[2].row == 4U);
}

BOOST_AUTO_TEST_CASE(unknowns_beyond_three_spreads_are_named) {
  const CalibrationProblem problem = equal_rows({0.0});
  for (const double spreads : {-3.01, -2.99, 0.0, 2.99, 3.01}) {
    Fit fit;
    fit.values = {0.3 * spreads};
    BOOST_TEST(contradicted_unknowns(problem, fit).size() == (std::abs(spreads) > 3.0 ? 1U : 0U));
  }
}

/// ln(predicted) of a time is -ln(rate) besides a constant: c times the times mean 1/c times the rate, as far as the
/// prior lets it go.
BOOST_AUTO_TEST_CASE(times_of_another_scale_move_the_rate_by_it) {
  CalibrationProblem problem = equal_rows({0.1, 0.15, 0.05, 0.2});
  problem.unknowns[0].spread = 1e3;
  const double before = fit(problem, {}).values[0];
  for (const double scale : {0.5, 0.9, 1.25, 3.0, 1000.0}) {
    CalibrationProblem scaled = problem;
    for (double& observed : scaled.observed) observed += std::log(scale);
    BOOST_TEST(std::abs(fit(scaled, {}).values[0] - before - std::log(scale)) < 1e-5);
  }
}

BOOST_AUTO_TEST_SUITE_END()
