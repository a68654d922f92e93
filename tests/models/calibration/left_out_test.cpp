/// Errors of rows left out against refits by hand.
#include "models/calibration/left_out.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/calibration/error_summary.hpp"
#include "tests/support/linear_calibration.hpp"

BOOST_AUTO_TEST_SUITE(left_out_test)

using namespace dfsweep;
using namespace dfsweep::calibration;
using dfsweep::testing::linear_problem;

namespace {

CalibrationProblem four_rows() {
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Ones(4, 1), 1.0);
  problem.observed = {1e-4, 2e-4, 3e-4, 6e-4};
  problem.loss_scale = 1.0;
  return problem;
}

/// Errors are those of squares, exact to (1e-4)^2 of themselves.
bool same(double a, double b) {
  return std::abs(a - b) < 1e-10;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_row_by_the_mean_of_the_others) {
  const std::vector<std::uint32_t> folds = {3, 1, 7, 0};
  const std::vector<double> errors = left_out_errors(four_rows(), folds);
  const double sum = 12e-4;
  for (std::size_t row = 0; row < 4; ++row) {
    const double observed = four_rows().observed[row];
    BOOST_TEST(same(errors[row], (sum - observed) / 4 - observed));  // three rows and the prior
  }
}

BOOST_AUTO_TEST_CASE(rows_of_a_fold_are_left_out_together) {
  const std::vector<std::uint32_t> folds = {5, 2, 5, 2};
  const std::vector<double> errors = left_out_errors(four_rows(), folds);
  BOOST_TEST(same(errors[0], 8e-4 / 3 - 1e-4));
  BOOST_TEST(same(errors[1], 4e-4 / 3 - 2e-4));
  BOOST_TEST(same(errors[2], 8e-4 / 3 - 3e-4));
  BOOST_TEST(same(errors[3], 4e-4 / 3 - 6e-4));
  const Fit full = fit(four_rows(), {});
  const std::vector<double> of_fold = errors_of_fold(four_rows(), folds, 2, full);
  BOOST_TEST(of_fold[0] == 0.0);
  BOOST_TEST(same(of_fold[3], errors[3]));
}

BOOST_AUTO_TEST_CASE(factors_of_groups_play_no_part_in_predictions) {
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Ones(4, 1), 1.0);
  problem.observed = {2e-4, 2e-4, 4e-4, 4e-4};
  problem.groups = {0, 0, 1, 1};
  problem.group_count = 2;
  problem.group_spread = 1.0;
  problem.loss_scale = 1.0;
  // Fitted to the rows of one group: 2 (x - f - y) + x = 0 and f = -x, so x = 2 y / 5.
  const std::vector<double> errors = left_out_errors(problem, problem.groups);
  BOOST_TEST(same(errors[0], 2 * 4e-4 / 5 - 2e-4));
  BOOST_TEST(same(errors[3], 2 * 2e-4 / 5 - 4e-4));
}

BOOST_AUTO_TEST_CASE(a_factor_of_a_group_that_is_seen_may_be_used) {
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Zero(4, 1), 1.0);
  problem.observed = {2e-4, 4e-4, 2e-4, 4e-4};
  problem.groups = {0, 0, 1, 1};
  problem.group_count = 2;
  problem.group_spread = 1.0;
  problem.loss_scale = 1.0;
  // The unknown moves nothing. From the other row of the group: (f - y) + f = 0 with predictions of 0, so f = y / 2.
  const std::vector<std::uint32_t> folds = {0, 1, 2, 3};
  const Fit full = fit(problem, {});
  const std::vector<double> known = errors_of_fold(problem, folds, 0, full, {}, GroupFactor::fitted);
  const std::vector<double> unknown = errors_of_fold(problem, folds, 0, full, {}, GroupFactor::unknown);
  BOOST_TEST(same(unknown[0], -2e-4));
  BOOST_TEST(same(known[0], 4e-4 / 2 - 2e-4));
  BOOST_TEST(known[1] == 0.0);
}

BOOST_AUTO_TEST_CASE(a_fit_to_some_rows_is_tried_on_the_others) {
  const std::vector<std::uint8_t> seen = {1, 1, 0, 0};
  const std::vector<double> errors = extrapolation_errors(four_rows(), seen);
  BOOST_REQUIRE_EQUAL(errors.size(), 2u);
  BOOST_TEST(same(errors[0], 1e-4 - 3e-4));
  BOOST_TEST(same(errors[1], 1e-4 - 6e-4));
  const Fit found = fit_to_seen(four_rows(), seen);
  BOOST_TEST(same(found.log_errors[0], 0.0));
  BOOST_TEST(found.log_errors[3] == errors[1]);
}

BOOST_AUTO_TEST_CASE(sizes_of_errors_are_summarized) {
  const std::vector<double> errors = {-0.5, 0.1, -0.2, 0.3, 0.4};
  BOOST_TEST(std::abs(summarize_errors(errors).median - 0.3) < 1e-15);
  BOOST_TEST(std::abs(summarize_errors(errors).percentile90 - 0.46) < 1e-15);  // 0.6 of the way from 0.4 to 0.5
  BOOST_TEST(quantile(errors, 0.0) == -0.5);
  BOOST_TEST(summarize_errors({}).median == 0.0);
  // A third and three times: |1/3 - 1| = 2/3 and |3 - 1| = 2.
  const std::vector<double> thirds = {-std::log(3.0), std::log(3.0)};
  BOOST_TEST(std::abs(summarize_relative_errors(thirds).median - (2.0 / 3.0 + 2.0) / 2.0) < 1e-15);
}

BOOST_AUTO_TEST_SUITE_END()
