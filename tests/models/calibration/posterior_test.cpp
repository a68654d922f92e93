/// Standard deviations and intervals against closed forms of linear problems.
#include "models/calibration/posterior.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/statistics/distributions.hpp"
#include "tests/support/linear_calibration.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(posterior_test)

using namespace dfsweep;
using namespace dfsweep::calibration;
using dfsweep::testing::linear_problem;
namespace bdata = boost::unit_test::data;

namespace {

/// n rows at x = +-size in turn, so that the fitted value is 0 and every error has this size.
CalibrationProblem alternating_rows(std::size_t rows, double size, double spread) {
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Ones(static_cast<Eigen::Index>(rows), 1), spread);
  for (std::size_t row = 0; row < rows; ++row) problem.observed[row] = row % 2 == 0 ? size : -size;
  problem.loss_scale = 0.1;
  return problem;
}

struct OneUnknown {
  const char* why;
  std::size_t rows;
  double size, spread;
};
const OneUnknown one_unknown[] = {
    {"noise far below the loss scale", 10, 1e-4, 0.1},
    {"a prior as narrow as the mean of the rows", 16, 1e-4, 0.025},
    {"a prior that plays no part", 40, 1e-4, 100.0},
    {"few rows", 2, 1e-4, 1.0},
};

}  // namespace

/// Errors far below the loss scale have curvature 1 / c^2 and influence e / c^2. With h = n S^2 / c^2:
/// C = 1 / (h + 1), degrees n - h / (h + 1), variance S^2 (C^2 + n S^2 e^2 n / degrees / c^4 C^2).
BOOST_DATA_TEST_CASE(one_unknown_as_by_hand, bdata::make(one_unknown)) {
  const CalibrationProblem problem = alternating_rows(sample.rows, sample.size, sample.spread);
  const Posterior found = posterior(problem, fit(problem, {}));
  const double n = static_cast<double>(sample.rows);
  const double s2 = sample.spread * sample.spread;
  const double h = n * s2 / 0.01;
  const double c = 1 / (h + 1);
  const double degrees = n - h * c;
  const double noise = n * s2 * sample.size * sample.size * n / degrees / 1e-4 * c * c;
  const double deviation = sample.spread * std::sqrt(c * c + noise);
  const double share = noise / (c * c + noise);
  const double reach = deviation * student_quantile(0.975, degrees / (share * share));
  BOOST_TEST(std::abs(found.standard_deviations[0] / deviation - 1) < 1e-5);
  BOOST_TEST(std::abs(found.intervals[0].half_width() / reach - 1) < 1e-5);
  BOOST_TEST(std::abs(found.fitted_numbers - h * c) < 1e-5);
  BOOST_TEST(std::abs(found.noise / (sample.size * std::sqrt(n / degrees)) - 1) < 1e-5);
  BOOST_TEST(std::abs(found.covariance[0] / (deviation * deviation) - 1) < 1e-5);
  for (const double of_row : found.prediction_deviations) BOOST_TEST(std::abs(of_row / deviation - 1) < 1e-5);
}

BOOST_AUTO_TEST_CASE(what_nothing_measures_has_its_prior) {
  CalibrationProblem problem = alternating_rows(10, 1e-4, 0.1);
  problem.quantities = 2;
  problem.unknowns.push_back({1, 0.3, std::vector<bool>(10, true)});
  problem.predict = [](std::span<const double> displacements, std::span<double> predictions) {
    for (std::size_t row = 0; row < 10; ++row) predictions[row] = displacements[2 * row];
  };
  const Posterior found = posterior(problem, fit(problem, {}));
  BOOST_TEST(std::abs(found.standard_deviations[1] - 0.3) < 1e-12);
  BOOST_TEST(std::abs(found.intervals[1].high - 0.3 * 1.959963984540054) < 1e-12);
}

BOOST_AUTO_TEST_CASE(an_unknown_at_its_prior_widens_those_that_act_like_it) {
  CalibrationProblem problem = alternating_rows(10, 1e-4, 10.0);
  problem.unknowns.push_back({0, 0.3, std::vector<bool>(10, true)});
  const std::vector<std::uint8_t> fitted = {1, 0};
  const FitOptions options{.fitted = fitted};
  const Posterior found = posterior(problem, fit(problem, {}, options), {}, options);
  BOOST_TEST(std::abs(found.standard_deviations[0] - 0.3) < 1e-3);  // noise and prior of the first add next to nothing
  BOOST_TEST(std::abs(found.standard_deviations[1] - 0.3) < 1e-12);
  BOOST_TEST(std::abs(found.covariance[1] + 0.09) < 1e-3);  // one is too low by what the other is too high
  for (const double of_row : found.prediction_deviations) BOOST_TEST(of_row < 1e-2);  // their sum is well known
}

BOOST_AUTO_TEST_CASE(outliers_hardly_widen) {
  CalibrationProblem problem = alternating_rows(40, 0.03, 1.0);
  problem.loss_scale = 0.05;
  const double before = posterior(problem, fit(problem, {})).standard_deviations[0];
  problem.observed[4] += 2.0;
  problem.observed[5] -= 2.0;
  const double after = posterior(problem, fit(problem, {})).standard_deviations[0];
  BOOST_TEST(after < 1.35 * before);  // least squares: sqrt((38 0.03^2 + 2 2^2) / (40 0.03^2)) = 15
  BOOST_TEST(after > before);
}

/// Copies of exact rows leave the noise at 0: each adds to what is known of one number, so that its interval never
/// widens. Of two numbers with similar effects, the one that a row says less about may: its error follows that of the
/// other.
BOOST_AUTO_TEST_CASE(a_copy_of_a_row_never_widens_the_interval_of_one_number) {
  for (const double slope : {-2.0, -0.5, 0.01, 0.3, 1.0, 4.0}) {
    double widest = 1e9;
    for (Eigen::Index copies = 1; copies <= 20; ++copies) {
      const CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Constant(copies, 1, slope), 0.2);
      const Posterior found = posterior(problem, fit(problem, {}));
      BOOST_TEST(found.intervals[0].covers(0.0));
      BOOST_TEST(found.intervals[0].half_width() <= widest * (1 + 1e-9));
      widest = found.intervals[0].half_width();
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
