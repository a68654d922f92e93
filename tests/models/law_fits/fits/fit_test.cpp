/// Estimators of laws: small regressions by hand, exact laws by every method, defects by name.
#include "models/law_fits/fits/fit.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <ostream>

#include "tests/support/steplaw_runs.hpp"

namespace dfsweep::law_fits {

static std::ostream& operator<<(std::ostream& out, const FitMethod& method) {
  return out << method_name(method);
}

}  // namespace dfsweep::law_fits

BOOST_AUTO_TEST_SUITE(fit_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;

namespace {

ScalingLaw known_law() {
  return {{2.3, {-0.68, 0.0, 0.21, 0.0}}, {4.3, {0.0, -0.25, 0.575, 0.0}}};
}

SelectedRuns exact() {
  const TrainingRuns runs = testing::exact_runs({known_law(), {0.012, -0.005, 0.011}, testing::nine_scales(), 0.25});
  return select_runs(group_runs(runs), fit_windows, 0.04);
}

TargetSums one_row(double feature, double value) {
  return {{feature, 0.0, 0.0, 0.0}, value, 1.0, 0.0, 0.0};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_through_four_values_by_hand) {
  // y = 1.5 + 0.8 x of (0, 2), (1, 2), (2, 2), (3, 4.4)... residuals 0.32, -0.4, -1.12 + ...: solved below by sums.
  // n = 4, sum x = 6, sum x^2 = 14, sum y = 10.4, sum x y = 19.2: slope (4*19.2 - 6*10.4) / (4*14 - 36) = 0.72,
  // intercept (10.4 - 6*0.72) / 4 = 1.52; residuals 0.48, -0.24, -0.96, 0.72: RSS 1.728, sd sqrt(0.864).
  const TargetSums rows[] = {one_row(0.0, 2.0), one_row(1.0, 2.0), one_row(2.0, 2.0), one_row(3.0, 4.4)};
  const FittedTarget fitted = fit_target(rows, {LawFeature::parameters});
  BOOST_TEST_REQUIRE(describe(fitted.defect) == describe(FitDefect::none));
  BOOST_TEST(fitted.fit.law.intercept == 1.52, tt::tolerance(1e-12));
  BOOST_TEST(fitted.fit.law.exponent[0] == 0.72, tt::tolerance(1e-12));
  BOOST_TEST(fitted.fit.residual_sd == std::sqrt(0.864), tt::tolerance(1e-12));
  BOOST_TEST(fitted.fit.standard_error.exponent[0] == std::sqrt(0.864 / 5.0), tt::tolerance(1e-12));
  BOOST_TEST(fitted.fit.standard_error.intercept == std::sqrt(0.864 * (0.25 + 1.5 * 1.5 / 5.0)), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(rows_of_a_group_count_one_by_one) {
  const TargetSums apart[] = {one_row(0.0, 1.0), one_row(0.0, 3.0), one_row(1.0, 4.0), one_row(2.0, 9.0)};
  const TargetSums summed[] = {{{0.0, 0.0, 0.0, 0.0}, 2.5, 2.0, -1.0, 2.25 + 0.25},  // 1 and 3, measured from 2.5
                               one_row(1.0, 4.0),
                               one_row(2.0, 9.0)};
  const FittedTarget a = fit_target(apart, {LawFeature::parameters});
  const FittedTarget b = fit_target(summed, {LawFeature::parameters});
  BOOST_TEST(a.fit.law.exponent[0] == b.fit.law.exponent[0], tt::tolerance(1e-13));
  BOOST_TEST(a.fit.residual_sd == b.fit.residual_sd, tt::tolerance(1e-13));
  BOOST_TEST(a.fit.n == b.fit.n);
}

BOOST_AUTO_TEST_CASE(designs_that_determine_nothing_are_named) {
  const TargetSums same[] = {one_row(2.0, 1.0), one_row(2.0, 2.0), one_row(2.0, 3.0)};
  BOOST_TEST(describe(fit_target(same, {LawFeature::parameters}).defect) == describe(FitDefect::singular_design));
  BOOST_TEST(describe(fit_target(std::span(same).first(1), {LawFeature::parameters}).defect) ==
             describe(FitDefect::too_few_groups));
  BOOST_TEST(std::isnan(fit_target(same, {LawFeature::parameters}).fit.law.intercept));
}

/// The grid of each group is centred on its optimum, so that even the kept runs have it as their mean.
BOOST_DATA_TEST_CASE(every_method_finds_an_exact_law,
                     bdata::make(std::vector<FitMethod>(fit_methods().begin(), fit_methods().end())), method) {
  if (method.estimator == LawEstimator::argmin) return;  // sees the grid only
  const LawFit fit = fit_law(exact(), *find_law_form("unified"), method);
  BOOST_TEST_REQUIRE(describe(fit.defect) == describe(FitDefect::none));
  const TrainingScale far = {7e9, 7e9, 1.4e12};
  const LogPoint truth = known_law().at(far);
  const double tolerance = method.estimator == LawEstimator::kept_rows ? 0.3 : 1e-6;  // a ragged set of equals
  BOOST_TEST(std::abs(fit.law().at(far).x - truth.x) < tolerance);
  BOOST_TEST(std::abs(fit.law().at(far).y - truth.y) < tolerance);
}

BOOST_AUTO_TEST_CASE(argmin_is_within_a_step_of_the_grid) {
  const SelectedRuns runs = exact();
  const RegressionRows rows = regression_rows(runs, std::vector<std::size_t>{4}, {LawEstimator::argmin, 0.0});
  const LogPoint truth = known_law().at(runs.groups[4].scale);
  BOOST_TEST(std::abs(rows.learning_rate[0].origin - truth.x) <= 0.25);
  BOOST_TEST(rows.learning_rate[0].n == 1.0);
}

BOOST_AUTO_TEST_CASE(groups_without_a_surface_take_no_part_in_quadratic_fits) {
  SelectedRuns runs = exact();
  runs.groups[3].box.x_high = runs.groups[3].box.x_low;  // its optimum is now outside its grid
  std::vector<std::size_t> all = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const RegressionRows rows = regression_rows(runs, all, {LawEstimator::quadratic, 0.01});
  const std::vector<std::size_t> expected = {0, 1, 2, 4, 5, 6, 7, 8};
  BOOST_TEST(rows.members == expected, tt::per_element());
  BOOST_TEST(fit_law(runs, *find_law_form("step"), {LawEstimator::quadratic_weighted, 0.01}).learning_rate.n == 8.0);
}

BOOST_AUTO_TEST_CASE(methods_are_named_with_their_window_in_per_cent) {
  std::vector<std::string> names;
  for (const FitMethod& method : fit_methods()) names.push_back(method_name(method));
  const std::vector<std::string> expected = {
      "argmin",          "near0.125",         "near0.25",       "near0.5",          "quad1",       "quad2", "quad4",
      "quad1_Hweighted", "joint_surface0.75", "joint_surface1", "joint_surface1.5", "joint_huber2"};
  BOOST_TEST(names == expected, tt::per_element());
}

BOOST_AUTO_TEST_CASE(an_intercept_is_fitted_to_given_exponents) {
  const SelectedRuns runs = exact();
  PowerLaw shape = known_law().learning_rate;
  shape.intercept = 99.0;
  const PowerLaw fitted = with_fitted_intercept(runs, shape, 0.0025);
  BOOST_TEST(std::abs(fitted.intercept - 2.3) < 0.1);
  BOOST_TEST(fitted.exponent == shape.exponent, tt::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
