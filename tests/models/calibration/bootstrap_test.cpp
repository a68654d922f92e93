/// Replicates against refits by hand, and their intervals against the standard error of a mean.
#include "models/calibration/bootstrap.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "models/calibration/predictions.hpp"
#include "models/statistics/random.hpp"
#include "tests/support/linear_calibration.hpp"

BOOST_AUTO_TEST_SUITE(bootstrap_test)

using namespace dfsweep;
using namespace dfsweep::calibration;
using dfsweep::testing::linear_problem;

namespace {

/// Rows of 0.3 and normal noise of 0.01.
CalibrationProblem noisy_mean(std::size_t rows) {
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Ones(static_cast<Eigen::Index>(rows), 1), 1.0);
  const CounterRandom random(3);
  for (std::size_t row = 0; row < rows; ++row) problem.observed[row] = 0.3 + 0.01 * normal_draw(random, row);
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(whole_groups_are_drawn) {
  CalibrationProblem problem = noisy_mean(12);
  problem.groups = {0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3};
  problem.group_count = 4;
  bool varied = false;
  for (std::uint64_t index = 0; index < 20; ++index) {
    const std::vector<double> weights = resampled_weights(problem, index, 5);
    for (std::size_t row = 1; row < 12; ++row)
      if (problem.groups[row] == problem.groups[row - 1]) BOOST_TEST(weights[row] == weights[row - 1]);
    BOOST_TEST(weights[0] + weights[3] + weights[5] + weights[8] == 4.0);
    varied = varied || weights[0] != 1.0;
  }
  BOOST_TEST(varied);
}

BOOST_AUTO_TEST_CASE(rows_are_drawn_where_there_is_one_group) {
  const std::vector<double> weights = resampled_weights(noisy_mean(30), 1, 5);
  BOOST_TEST(std::accumulate(weights.begin(), weights.end(), 0.0) == 30.0);
  BOOST_TEST(weights != resampled_weights(noisy_mean(30), 2, 5));
  BOOST_TEST(weights != resampled_weights(noisy_mean(30), 1, 6));
  BOOST_TEST(weights == resampled_weights(noisy_mean(30), 1, 5));
}

BOOST_AUTO_TEST_CASE(a_replicate_is_a_fit_to_the_rows_drawn) {
  const CalibrationProblem problem = noisy_mean(20);
  const Fit full = fit(problem, {});
  std::vector<double> left_out(20);
  for (std::size_t row = 0; row < 20; ++row) left_out[row] = 0.01 * static_cast<double>(row);
  const std::vector<double> weights = resampled_weights(problem, 4, 42);
  FitOptions options;
  options.steps = 2;
  const Replicate found = replicate(problem, 4, 42, full, left_out, options);
  BOOST_TEST(std::abs(found.values[0] - fit(problem, weights).values[0]) < 1e-5);  // two steps; scatter: 2e-3
  std::vector<double> drawn;
  for (std::size_t row = 0; row < 20; ++row)
    for (int times = 0; times < static_cast<int>(weights[row]); ++times) drawn.push_back(left_out[row]);
  BOOST_TEST(found.left_out.median == summarize_relative_errors(drawn).median);
  BOOST_TEST(found.left_out.percentile90 == summarize_relative_errors(drawn).percentile90);
  BOOST_TEST(found.in_sample.median > 0.0);
}

BOOST_AUTO_TEST_CASE(the_interval_is_that_of_a_mean) {
  const CalibrationProblem problem = noisy_mean(100);
  const Fit full = fit(problem, {});
  const BootstrapIntervals found = bootstrap(problem, 1000, 42, full, full.log_errors);
  // 1.96 x 0.01 / sqrt 100 = 0.00196, give or take the scatter of the sample's own deviation (7 %) and of percentiles.
  BOOST_TEST(found.unknowns[0].covers(full.values[0]));
  BOOST_TEST(std::abs(found.unknowns[0].half_width() / 0.00196 - 1) < 0.2);
  const ErrorSummary errors = summarize_relative_errors(full.log_errors);
  BOOST_TEST(found.median_in_sample.covers(errors.median));
  BOOST_TEST(found.percentile90_in_sample.covers(errors.percentile90));
  BOOST_TEST((found.median_left_out == found.median_in_sample));  // given the same errors
  BOOST_TEST((bootstrap(problem, 1000, 42, full, {}).unknowns[0] == found.unknowns[0]));
}

BOOST_AUTO_TEST_SUITE_END()
