/// Gains of one law over another: the mean by hand, intervals that are claimed and that are not.
#include "models/law_fits/intervals/paired_gain.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <vector>

BOOST_AUTO_TEST_SUITE(paired_gain_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;

BOOST_AUTO_TEST_CASE(the_mean_is_over_groups_that_have_both) {
  const double missing = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> baseline = {0.003, 0.001, missing, 0.002};
  const std::vector<double> candidate = {0.001, 0.002, 0.001, 0.001};
  const PairedGain gain = paired_gain(baseline, candidate, 0.95, 1, 1000);
  BOOST_TEST(gain.groups == 3.0);
  BOOST_TEST(std::abs(gain.mean - 2e-3 / 3.0) < 1e-15);
  BOOST_TEST(gain.interval.low < 0.0);  // one of three groups got worse
  BOOST_TEST(!gain.is_claimed());
  const std::vector<double> nothing = {missing};
  BOOST_TEST(std::isnan(paired_gain(nothing, nothing, 0.95, 1, 10).mean));
}

BOOST_AUTO_TEST_CASE(a_gain_is_claimed_where_it_is_certain_and_large_enough) {
  const std::vector<double> none(20, 0.0);
  const std::vector<double> small(20, 0.0002);
  const std::vector<double> large(20, 0.0004);
  const PairedGain claimed = paired_gain(large, none, 0.95, 1, 100);
  BOOST_TEST(std::abs(claimed.interval.low - 0.0004) < 1e-15);
  BOOST_TEST(claimed.is_claimed());
  BOOST_TEST(!paired_gain(small, none, 0.95, 1, 100).is_claimed());
  BOOST_TEST(!paired_gain(none, large, 0.95, 1, 100).is_claimed());
}

// Differences 0 and 1, half each, in 100 groups: the sd of their mean is 0.05.
BOOST_AUTO_TEST_CASE(the_interval_has_the_width_of_the_mean_s_scatter) {
  std::vector<double> baseline(100, 0.0);
  for (std::size_t i = 0; i < 50; ++i) baseline[2 * i] = 1.0;
  const std::vector<double> candidate(100, 0.0);
  const PairedGain gain = paired_gain(baseline, candidate, 0.95, 7, 4000);
  BOOST_TEST(std::abs(gain.interval.half_width() / (1.96 * 0.05) - 1.0) < 0.06);
  BOOST_TEST(paired_gain(baseline, candidate, 0.95, 7, 4000).interval.low == gain.interval.low);
}

BOOST_AUTO_TEST_SUITE_END()
