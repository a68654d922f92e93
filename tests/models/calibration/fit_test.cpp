/// Fits against closed forms, truths that are known, and refits by hand.
#include "models/calibration/fit.hpp"

#include <Eigen/Dense>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "models/calibration/predictions.hpp"
#include "tests/support/linear_calibration.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(fit_test)

using namespace dfsweep;
using namespace dfsweep::calibration;
using dfsweep::testing::linear_problem;
namespace bdata = boost::unit_test::data;

namespace {

/// Errors are so small beside the loss scale 1 that the loss is their square.
struct ClosedForm {
  const char* why;
  std::vector<double> slopes, observed, weights;
  double spread, expected;
};

const ClosedForm closed_forms[] = {
    {"sum y / (n + 1): the prior counts as one row at 0", {1, 1}, {3e-4, 1e-4}, {}, 1.0, 4e-4 / 3},
    {"a wide prior leaves the mean", {1, 1}, {3e-4, 1e-4}, {}, 1e4, 2e-4 / (1 + 0.5e-8)},
    {"a narrow prior holds: 4 / (2 + 100)", {1, 1}, {3e-4, 1e-4}, {}, 0.1, 4e-4 / 102},
    {"sum g y / (sum g^2 + 1)", {1, 2}, {1e-4, 4e-4}, {}, 1.0, 9e-4 / 6},
    {"a row of weight 0 is not seen", {1, 1}, {3e-4, 1e-4}, {1, 0}, 1.0, 3e-4 / 2},
    {"a row of weight 2 is two rows", {1, 1}, {3e-4, 1e-4}, {2, 1}, 1.0, 7e-4 / 4},
    {"what nothing measures stays at 0", {0, 0}, {3e-4, 1e-4}, {}, 1.0, 0.0},
};

/// ln of exp(a) x first + exp(b) x second, as times of two kinds of work add up.
CalibrationProblem sum_of_two_times() {
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Zero(8, 2), 0.5);
  problem.predict = [](std::span<const double> displacements, std::span<double> predictions) {
    for (std::size_t row = 0; row < predictions.size(); ++row) {
      const double share = (static_cast<double>(row) + 0.5) / 8;
      predictions[row] =
          std::log(share * std::exp(displacements[2 * row]) + (1 - share) * std::exp(displacements[2 * row + 1]));
    }
  };
  problem.loss_scale = 1e-3;  // so that the prior plays no part
  return problem;
}

}  // namespace

BOOST_DATA_TEST_CASE(one_unknown_as_by_hand, bdata::make(closed_forms)) {
  const auto count = static_cast<Eigen::Index>(sample.slopes.size());
  CalibrationProblem problem =
      linear_problem(Eigen::Map<const Eigen::VectorXd>(sample.slopes.data(), count), sample.spread);
  problem.observed = sample.observed;
  problem.loss_scale = 1.0;
  const Fit found = fit(problem, sample.weights);
  BOOST_TEST(found.converged);
  BOOST_TEST(std::abs(found.values[0] - sample.expected) < 1e-10);
  for (std::size_t row = 0; row < sample.slopes.size(); ++row)
    BOOST_TEST(std::abs(found.log_errors[row] - (sample.slopes[row] * found.values[0] - sample.observed[row])) < 1e-15);
}

BOOST_AUTO_TEST_CASE(unknowns_and_factors_as_by_normal_equations) {
  Eigen::MatrixXd slopes(6, 2);
  slopes << 1, 0.2, 0.8, 0.4, 0.3, 1, 0.5, 0.5, 0, 1.2, 1, 1;
  CalibrationProblem problem = linear_problem(slopes, 0.3);
  problem.unknowns[1].applies[5] = false;
  problem.observed = {2e-5, -1e-5, 4e-5, 3e-5, -2e-5, 1e-5};
  problem.groups = {0, 0, 0, 1, 1, 1};
  problem.group_count = 2;
  problem.group_spread = 0.2;
  problem.loss_scale = 0.5;
  const std::vector<double> weights = {1, 2, 1, 0.5, 1, 1};

  Eigen::MatrixXd all(6, 4);
  all << slopes, Eigen::VectorXd(6), Eigen::VectorXd(6);
  all(5, 1) = 0;
  all.col(2) << 1, 1, 1, 0, 0, 0;
  all.col(3) << 0, 0, 0, 1, 1, 1;
  const Eigen::VectorXd row_weights = Eigen::Map<const Eigen::VectorXd>(weights.data(), 6) / (0.5 * 0.5);
  Eigen::MatrixXd left = all.transpose() * row_weights.asDiagonal() * all;
  left.diagonal() += Eigen::Vector4d(1 / 0.09, 1 / 0.09, 1 / 0.04, 1 / 0.04);
  const Eigen::VectorXd expected = left.ldlt().solve(
      all.transpose() * row_weights.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(problem.observed.data(), 6)));

  const Fit found = fit(problem, weights);
  for (std::size_t k = 0; k < 2; ++k) {
    BOOST_TEST(std::abs(found.values[k] - expected[static_cast<Eigen::Index>(k)]) < 1e-11);
    BOOST_TEST(std::abs(found.factors[k] - expected[static_cast<Eigen::Index>(k + 2)]) < 1e-11);
  }
}

BOOST_AUTO_TEST_CASE(nonlinear_truth_is_recovered) {
  CalibrationProblem problem = sum_of_two_times();
  const std::vector<double> truth = {0.3, -0.4};
  problem.observed = log_predictions(problem, truth);
  const Fit found = fit(problem, {});
  BOOST_TEST(found.converged);
  BOOST_TEST(std::abs(found.values[0] - 0.3) < 1e-4);
  BOOST_TEST(std::abs(found.values[1] + 0.4) < 1e-4);
}

BOOST_AUTO_TEST_CASE(outliers_hardly_move_the_fit) {
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Ones(20, 1), 0.5);
  for (std::size_t row = 0; row < 20; ++row) problem.observed[row] = 0.2 + (row % 2 == 0 ? 0.02 : -0.02);
  const double before = fit(problem, {}).values[0];
  problem.observed[3] += std::log(3.0);
  problem.observed[8] += std::log(3.0);
  const double after = fit(problem, {}).values[0];
  BOOST_TEST(std::abs(before - 0.2) < 0.001);
  // 2 outliers pull with at most c each against 18 rows: 2 c / 18 = 0.009. Least squares would move by 0.11.
  BOOST_TEST(std::abs(after - before) < 0.012);
}

BOOST_AUTO_TEST_CASE(a_row_without_prediction_has_a_fixed_error) {
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Ones(3, 1), 1.0);
  problem.observed = {1e-3, 1e-3, 5.0};
  const LogPredictions linear = problem.predict;
  problem.predict = [linear](std::span<const double> displacements, std::span<double> predictions) {
    linear(displacements, predictions);
    predictions[2] = std::numeric_limits<double>::infinity();
  };
  problem.loss_scale = 1.0;
  const Fit found = fit(problem, {});
  BOOST_TEST(std::abs(found.values[0] - 2e-3 / 3) < 1e-8);
  BOOST_TEST(found.log_errors[2] == error_without_prediction);
  BOOST_TEST(std::isfinite(found.objective));
}

BOOST_AUTO_TEST_CASE(a_fit_does_not_step_where_points_become_infeasible) {
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Ones(4, 1), 1.0);
  problem.observed.assign(4, 0.5);
  const LogPredictions linear = problem.predict;
  problem.predict = [linear](std::span<const double> displacements, std::span<double> predictions) {
    linear(displacements, predictions);
    for (double& prediction : predictions)
      if (prediction > 0.3) prediction = std::numeric_limits<double>::quiet_NaN();
  };
  const Fit found = fit(problem, {});
  BOOST_TEST(found.values[0] <= 0.3);
  BOOST_TEST(found.values[0] > 0.1);
  for (const double error : found.log_errors) BOOST_TEST(error < 0.0);
}

BOOST_AUTO_TEST_CASE(of_several_starts_the_least_objective_wins) {
  // x^2 - x has the values of 1.5 at about -0.8 and 1.8; the prior prefers the one nearer to 0.
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Ones(1, 1), 1.0);
  problem.predict = [](std::span<const double> displacements, std::span<double> predictions) {
    predictions[0] = displacements[0] * displacements[0] - displacements[0];
  };
  problem.observed = {1.5};
  const std::vector<double> far = {1.8, 0.0};
  FitOptions options;
  options.start = far;
  const Fit one = fit(problem, {}, options);
  BOOST_TEST(one.values[0] > 1.0);
  options.starts = 8;
  const Fit several = fit(problem, {}, options);
  BOOST_TEST(several.values[0] < 0.0);
  BOOST_TEST(several.objective < one.objective);
  BOOST_TEST(fit(problem, {}, options).values == several.values);
}

BOOST_AUTO_TEST_CASE(what_is_not_fitted_stays_at_0) {
  CalibrationProblem problem = sum_of_two_times();
  problem.observed = log_predictions(problem, std::vector<double>{0.3, -0.4});
  const std::vector<std::uint8_t> fitted = {1, 0};
  const Fit found = fit(problem, {}, {.fitted = fitted});
  BOOST_TEST(found.values[1] == 0.0);
  BOOST_TEST(found.values[0] != 0.0);
  const std::vector<double> start = {0.1, 0.2, 0.0};
  BOOST_TEST(fit(problem, {}, {.start = start, .fitted = fitted}).values[1] == 0.0);
  const Fit held = fit(problem, {}, {.start = start, .held = 1});
  BOOST_TEST(held.values[1] == 0.2);
  BOOST_TEST(held.values[0] < found.values[0]);  // one makes up for the other
  const std::vector<std::uint8_t> none = {0, 0};
  const Fit still = fit(problem, {}, {.fitted = none});
  BOOST_TEST(still.values == std::vector<double>(2, 0.0));
  BOOST_TEST(still.objective > found.objective);
}

BOOST_AUTO_TEST_CASE(kept_slopes_lead_near_the_same_optimum) {
  CalibrationProblem problem = sum_of_two_times();
  problem.observed = log_predictions(problem, std::vector<double>{0.3, -0.4});
  for (std::size_t row = 0; row < 8; ++row) problem.observed[row] += row % 3 == 0 ? 1e-3 : -1e-3;
  const Fit all = fit(problem, {});
  const std::vector<double> slopes = quantity_slopes(problem, all.values, log_predictions(problem, all.values));
  std::vector<double> weights(8, 1.0);
  weights[2] = 0.0;
  const std::vector<double> start = start_from(all);
  const Fit fresh = fit(problem, weights, {.start = start});
  const Fit kept = fit(problem, weights, {.steps = 4, .start = start, .slopes = slopes});
  for (std::size_t k = 0; k < 2; ++k) {
    BOOST_TEST(fresh.values[k] != all.values[k]);
    BOOST_TEST(std::abs(kept.values[k] - fresh.values[k]) < 0.02 * std::abs(fresh.values[k] - all.values[k]));
  }
}

BOOST_AUTO_TEST_SUITE_END()
