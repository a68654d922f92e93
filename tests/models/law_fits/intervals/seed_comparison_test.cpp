/// Errors of a law beside the noise between seeds, by hand.
#include "models/law_fits/intervals/seed_comparison.hpp"

#include <boost/test/unit_test.hpp>

namespace dfsweep::law_fits {

BOOST_AUTO_TEST_SUITE(seed_comparison_test)

namespace {

/// Two located groups and one that is not, 20 runs, a quadratic shape: 20 - 3 * 2 - 3 = 11 degrees of freedom.
ScatteredLaw small_law() {
  ScatteredLaw law;
  law.surface.shape = SurfaceShape::quadratic;
  law.surface.n = 20.0;
  law.surface.residual_sd = 2e-3;
  law.surface.groups.resize(3);
  law.surface.groups[0].covariance = {0.01, 0.0, 0.04};
  law.surface.groups[1].covariance = {0.03, 0.0, 0.12};
  law.surface.groups[2].defect = FitDefect::too_few_runs;
  law.surface.groups[2].covariance = {absent, absent, absent};
  return law;
}

SeedNoise noise_of(double sd, double degrees) {
  SeedNoise noise;
  noise.sd = sd;
  noise.degrees = degrees;
  return noise;
}

}  // namespace

// Seeds of sd 1e-3, in pairs: a variance of 5e-7 against 4e-6, an eighth. The mean variances of the optima are 0.02 and
// 0.08, of which seeds are an eighth: 0.0025 and 0.01.
BOOST_AUTO_TEST_CASE(residuals_are_compared_with_what_seeds_do_to_the_same_losses) {
  const SeedComparison found = compare_with_seeds(small_law(), noise_of(1e-3, 4.0), 0.5);
  const auto close = boost::test_tools::tolerance(1e-12);
  BOOST_TEST(found.residual_sd == 2e-3);
  BOOST_TEST(found.residual_degrees == 11.0);
  BOOST_TEST(found.seed_sd == std::sqrt(5e-7), close);
  BOOST_TEST(found.variance_ratio == 8.0, close);
  BOOST_TEST(found.p_value == variance_ratio_tail(8.0, 11.0, 4.0), close);
  BOOST_TEST(found.optimum_sd[0] == 0.05, close);
  BOOST_TEST(found.optimum_sd[1] == 0.1, close);
}

BOOST_AUTO_TEST_CASE(residuals_of_seeds_alone_are_no_lack_of_fit) {
  const SeedComparison found = compare_with_seeds(small_law(), noise_of(2e-3, 40.0), 1.0);
  BOOST_TEST(found.variance_ratio == 1.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(found.p_value > 0.3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::law_fits
