/// What rows tell of unknowns, where it is known what they can tell.
#include "models/calibration/identification.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/linear_calibration.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(identification_test)

using namespace dfsweep;
using namespace dfsweep::calibration;
using dfsweep::testing::linear_problem;
namespace bdata = boost::unit_test::data;

namespace {

const Profile profiles[] = {Profile::linearised, Profile::exact};

/// Columns: one of its own; two that act alike (the third twice as much); one that nothing measures.
CalibrationProblem four_unknowns() {
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(12, 4);
  for (Eigen::Index row = 0; row < 12; ++row) {
    slopes(row, 0) = row % 2 == 0 ? 1.0 : 0.2;
    slopes(row, 1) = row % 3 == 0 ? 1.0 : 0.1;
    slopes(row, 2) = 2 * slopes(row, 1);
  }
  CalibrationProblem problem = linear_problem(slopes, 0.3);
  problem.unknowns[2].spread = 0.15;  // so that either moves rows by as much
  for (std::size_t row = 0; row < 12; ++row) problem.observed[row] = row % 5 == 0 ? 0.05 : -0.03;
  return problem;
}

/// n rows that tell one unknown, all as predicted: held 2 spreads away the likelihood rises by 2 n (s - 1), with
/// s = sqrt(1 + (2 spread / c)^2).
struct OneUnknown {
  const char* why;
  Eigen::Index rows;
  double spread;
  bool identified;
};
const OneUnknown one_unknown[] = {
    {"one row, 2 spreads = 2 c: 2 (sqrt 5 - 1) = 2.5", 1, 0.08, false},
    {"two rows: 4.9", 2, 0.08, true},
    {"many rows, but a prior far narrower than errors: 100 x 0.01", 100, 0.004, false},
    {"many rows, a wider prior: 100 x 0.04", 100, 0.00812, true},
};

}  // namespace

BOOST_DATA_TEST_CASE(the_rise_is_as_by_hand, bdata::make(one_unknown) * bdata::make({0, 1}), row, at) {
  const CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Ones(row.rows, 1), row.spread);
  const double u = 2 * row.spread / 0.08;
  const double expected = 2 * static_cast<double>(row.rows) * (std::sqrt(1 + u * u) - 1);
  const Identification found = identified_unknowns(problem, {}, {}, profiles[at])[0];
  BOOST_TEST(std::abs(found.rise / expected - 1) < 1e-9);
  BOOST_TEST(found.identified == row.identified);
  BOOST_TEST(found.twin == no_twin);
}

BOOST_DATA_TEST_CASE(twins_name_each_other_and_what_nothing_measures_stays, bdata::make({0, 1}), at) {
  const std::vector<Identification> found = identified_unknowns(four_unknowns(), {}, {}, profiles[at]);
  BOOST_TEST(found[0].identified);
  BOOST_TEST(found[0].twin == no_twin);
  BOOST_TEST(found[1].identified);   // once the other is dropped
  BOOST_TEST(!found[2].identified);  // of equal ones the later
  BOOST_TEST(found[1].twin == 2u);
  BOOST_TEST(found[2].twin == 1u);
  BOOST_TEST(std::abs(found[1].twin_correlation - 1) < 1e-9);
  BOOST_TEST(found[2].rise < 0.5);
  BOOST_TEST(found[1].rise > rise_of_identified);
  BOOST_TEST(!found[3].identified);
  BOOST_TEST(std::abs(found[3].rise) < 1e-9);
  BOOST_TEST(found[3].twin == no_twin);
  const std::vector<std::uint8_t> fitted = fitted_of(found);
  const Fit with = fit(four_unknowns(), {}, {.fitted = fitted});
  BOOST_TEST(with.values[2] == 0.0);
  BOOST_TEST(with.values[3] == 0.0);
}

BOOST_DATA_TEST_CASE(a_factor_of_the_group_acts_like_an_unknown_of_one_group, bdata::make({0, 1}), at) {
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Ones(12, 1), 0.1);
  problem.group_spread = 0.15;
  // 12 rows of one group: the factor makes up for 2 spreads at a cost near (0.2 / 0.15)^2 = 1.8.
  BOOST_TEST(!identified_unknowns(problem, {}, {}, profiles[at])[0].identified);
  // In six groups it would have to do so six times.
  problem.group_count = 6;
  for (std::size_t row = 0; row < 12; ++row) problem.groups[row] = static_cast<std::uint32_t>(row / 2);
  BOOST_TEST(identified_unknowns(problem, {}, {}, profiles[at])[0].identified);
}

BOOST_DATA_TEST_CASE(a_truth_far_from_0_is_identified_as_well, bdata::make({0, 1}), at) {
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Ones(12, 1), 0.2);
  problem.observed.assign(12, 0.4);  // 2 spreads
  BOOST_TEST(identified_unknowns(problem, {}, {}, profiles[at])[0].identified);
}

BOOST_AUTO_TEST_CASE(what_the_caller_does_not_fit_is_not_identified) {
  const std::vector<std::uint8_t> fitted = {0, 0, 1, 1};
  const std::vector<Identification> found = identified_unknowns(four_unknowns(), {}, {.fitted = fitted});
  BOOST_TEST(!found[0].identified);
  BOOST_TEST(!found[1].identified);
  BOOST_TEST(found[2].identified);
  BOOST_TEST(found[2].twin == no_twin);
}

BOOST_AUTO_TEST_CASE(the_exact_profile_sees_what_slopes_do_not) {
  // Steep at the optimum, flat beyond 0.05: held 2 spreads away nothing is worse than there.
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Ones(4, 1), 0.3);
  problem.predict = [](std::span<const double> displacements, std::span<double> predictions) {
    for (std::size_t row = 0; row < 4; ++row) predictions[row] = 0.05 * std::tanh(displacements[row] / 0.05);
  };
  const std::vector<Identification> linear = identified_unknowns(problem, {}, {}, Profile::linearised);
  BOOST_TEST(linear[0].identified);
  const std::vector<Identification> exact = identified_unknowns(problem, {}, {}, Profile::exact);
  BOOST_TEST(!exact[0].identified);
  const double u = 0.05 / 0.08;
  BOOST_TEST(std::abs(exact[0].rise - 8 * (std::sqrt(1 + u * u) - 1)) < 1e-6);
}

BOOST_AUTO_TEST_SUITE_END()
