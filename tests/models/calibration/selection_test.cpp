/// How much to fit, where it is known how much the rows hold.
#include "models/calibration/selection.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "models/calibration/left_out.hpp"
#include "models/statistics/random.hpp"
#include "tests/support/linear_calibration.hpp"

BOOST_AUTO_TEST_SUITE(selection_test)

using namespace dfsweep;
using namespace dfsweep::calibration;
using dfsweep::testing::linear_problem;

namespace {

/// 24 rows: an offset of 0.4 in all, and 12 unknowns of a pair of rows each, of which the truth knows nothing.
CalibrationProblem an_offset_and_noise() {
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(24, 13);
  slopes.col(0).setOnes();
  for (Eigen::Index row = 0; row < 24; ++row) slopes(row, 1 + row % 12) = 1;
  CalibrationProblem problem = linear_problem(slopes, 0.3);
  const CounterRandom random(7);
  for (std::size_t row = 0; row < 24; ++row) problem.observed[row] = 0.4 + 0.05 * normal_draw(random, row);
  return problem;
}

std::vector<Level> levels() {
  std::vector<Level> all = {{"nothing", std::vector<double>(13, 0.0)},
                            {"offset", std::vector<double>(13, 0.0)},
                            {"everything", std::vector<double>(13, 1.0)}};
  all[1].spread_factors[0] = 1.0;
  return all;
}

std::vector<std::uint32_t> twelve_folds() {
  std::vector<std::uint32_t> folds(24);
  std::iota(folds.begin(), folds.end(), 0u);
  return folds;
}

LevelErrors errors_of(const char* name, std::size_t unknowns, std::vector<double> errors) {
  return {name, unknowns, std::move(errors)};
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_the_rows_hold_is_fitted_and_no_more) {
  const Selection found = select_level(an_offset_and_noise(), levels(), twelve_folds());
  BOOST_TEST(found.chosen == 1u);
  BOOST_TEST(found.scores[0].left_out.median > 0.3);
  BOOST_TEST(found.scores[1].left_out.median < 0.06);
  BOOST_TEST(found.scores[2].score > found.scores[1].score);
}

BOOST_AUTO_TEST_CASE(errors_of_a_level_are_those_of_real_fits) {
  Level wide = levels()[1];
  wide.spread_factors[0] = 2.0;
  const LevelErrors found = level_errors(an_offset_and_noise(), wide, twelve_folds());
  CalibrationProblem by_hand = an_offset_and_noise();
  by_hand.unknowns[0].spread = 0.6;
  for (std::size_t k = 1; k < 13; ++k) by_hand.unknowns[k].spread = 0.0;
  BOOST_TEST(found.unknowns == 1u);
  BOOST_TEST(found.errors == left_out_errors(by_hand, twelve_folds()), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(fewer_unknowns_win_within_a_standard_error) {
  std::vector<double> some(20), fewer(20);
  for (std::size_t row = 0; row < 20; ++row) {
    some[row] = 0.05 + 0.005 * static_cast<double>(row);
    fewer[row] = row % 2 == 0 ? some[row] + 0.03 : some[row] - 0.028;  // about as good, now better, now worse
  }
  std::vector<std::uint32_t> folds(20);
  std::iota(folds.begin(), folds.end(), 0u);
  std::vector<LevelErrors> of = {errors_of("some", 5, some), errors_of("fewer", 2, fewer)};
  Selection found = choose_level(of, folds);
  BOOST_TEST(found.least != found.chosen);
  BOOST_TEST(found.chosen == 1u);
  BOOST_TEST(found.scores[1].above_least <= found.scores[1].standard_error);
  // Worse by the same in every row, it is worse in every resample: no standard error excuses it.
  for (std::size_t row = 0; row < 20; ++row) of[1].errors[row] = some[row] + 0.001;
  found = choose_level(of, folds);
  BOOST_TEST(found.chosen == 0u);
  BOOST_TEST(std::abs(found.scores[1].above_least - 0.001 * 1.4) < 1e-12);  // of weights 1 and 0.4
  BOOST_TEST(found.scores[1].standard_error < 1e-12);
}

BOOST_AUTO_TEST_CASE(factors_of_groups_are_given_up_for_clearly_better_errors_only) {
  std::vector<double> with(20), without(20);
  for (std::size_t row = 0; row < 20; ++row) {
    without[row] = 0.05 + 0.005 * static_cast<double>(row);
    with[row] = row % 2 == 0 ? without[row] + 0.03 : without[row] - 0.028;  // about as good
  }
  std::vector<std::uint32_t> folds(20);
  std::iota(folds.begin(), folds.end(), 0u);
  std::vector<LevelErrors> of = {errors_of("with", 9, with), errors_of("without", 2, without)};
  of[1].group_spread_factor = 0.0;
  BOOST_TEST(choose_level(of, folds).chosen == 0u);  // although it has more unknowns
  for (double& error : of[0].errors) error += 0.1;
  BOOST_TEST(choose_level(of, folds).chosen == 1u);
}

BOOST_AUTO_TEST_CASE(a_level_without_factors_fits_none) {
  CalibrationProblem problem = an_offset_and_noise();
  problem.group_spread = 0.1;
  Level level = levels()[1];
  level.group_spread_factor = 0.0;
  BOOST_TEST(at_level(problem, level).group_spread == 0.0);
  BOOST_TEST(at_level(problem, levels()[1]).group_spread == 0.1);
}

BOOST_AUTO_TEST_CASE(equal_levels_are_taken_in_order) {
  const std::vector<double> errors(6, 0.1);
  const std::vector<std::uint32_t> folds = {0, 0, 1, 1, 2, 2};
  const std::vector<LevelErrors> of = {errors_of("a", 3, errors), errors_of("b", 1, errors), errors_of("c", 1, errors)};
  BOOST_TEST(choose_level(of, folds).chosen == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
