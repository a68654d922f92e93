/// 95 % intervals hold the truth in 93 to 97 % of simulated data sets, and what cannot be identified is said in all.
#include "models/calibration/coverage.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/linear_calibration.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(coverage_test)

using namespace dfsweep;
using namespace dfsweep::calibration;
using dfsweep::testing::linear_problem;
namespace bdata = boost::unit_test::data;

namespace {

constexpr std::size_t rows = 48;

/// Times of three kinds of work add up, in shares that differ by row; six groups. Unknown 3 acts as unknown 2 does, and
/// nothing measures unknown 4.
CalibrationProblem three_kinds_of_work() {
  CalibrationProblem problem = linear_problem(Eigen::MatrixXd::Zero(rows, 4), 0.25);
  problem.unknowns.insert(problem.unknowns.begin() + 3, problem.unknowns[2]);
  problem.predict = [](std::span<const double> displacements, std::span<double> predictions) {
    for (std::size_t row = 0; row < predictions.size(); ++row) {
      double total = 0.0;
      for (std::size_t q = 0; q < 3; ++q)
        total += ((row + 2 * q) % 3 == 0 ? 4.0 : 0.3 + 0.1 * static_cast<double>(row % 5)) *
                 std::exp(displacements[4 * row + q]);
      predictions[row] = std::log(total);
    }
  };
  for (std::size_t row = 0; row < rows; ++row) problem.groups[row] = static_cast<std::uint32_t>(row / 8);
  problem.group_count = 6;
  problem.group_spread = 0.05;
  return problem;
}

struct Noise {
  const char* why;
  double noise;
};
const Noise noises[] = {
    {"as the loss scale", 0.08},
    {"below it: the fit trusts its rows too little, and intervals say so", 0.05},
    {"above it: most errors count by their size", 0.12},
    {"far above it: the fit follows its rows too closely, and intervals make up for it", 0.16},
};

}  // namespace

BOOST_DATA_TEST_CASE(intervals_hold_the_truth, bdata::make(noises)) {
  CoverageOptions options;
  options.noise = sample.noise;
  const Coverage found = simulate_coverage(three_kinds_of_work(), 500, options);
  BOOST_TEST_MESSAGE(sample.why << ": " << found.covered_identified << " of identified, " << found.covered_in_all);
  for (std::size_t k = 0; k < found.covered.size(); ++k) {
    BOOST_TEST_MESSAGE("  unknown " << k << ": " << found.covered[k] << ", identified " << found.identified[k]);
    BOOST_TEST(found.covered[k] >= 0.93);
    BOOST_TEST(found.covered[k] <= 0.97);
  }
  for (const std::size_t k : {0u, 1u, 2u}) BOOST_TEST(found.identified[k] == 1.0);
  for (const std::size_t k : {3u, 4u}) BOOST_TEST(found.identified[k] == 0.0);
}

BOOST_AUTO_TEST_CASE(a_set_has_the_same_bits_alone) {
  const SimulatedSet one = simulate_set(three_kinds_of_work(), 17);
  const SimulatedSet again = simulate_set(three_kinds_of_work(), 17);
  BOOST_TEST(one.truth == again.truth);
  BOOST_TEST(one.covered == again.covered);
  BOOST_TEST(one.truth != simulate_set(three_kinds_of_work(), 18).truth);
}

BOOST_AUTO_TEST_CASE(linearised_and_exact_profiles_agree_where_rows_are_many) {
  CoverageOptions options;
  options.profile = Profile::exact;
  for (std::uint64_t set = 0; set < 5; ++set)
    BOOST_TEST(simulate_set(three_kinds_of_work(), set, options).identified ==
               simulate_set(three_kinds_of_work(), set).identified);
}

BOOST_AUTO_TEST_SUITE_END()
