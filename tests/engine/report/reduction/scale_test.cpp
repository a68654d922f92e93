/// Codes of the sample and bins of histograms, against their definitions.
#include "engine/report/reduction/scale.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace dfsweep::report {

BOOST_AUTO_TEST_SUITE(scale_test)

BOOST_AUTO_TEST_CASE(wide_positive_ranges_are_logarithmic) {
  BOOST_TEST((scale_of(1.0, 8.0).kind == Scale::Kind::linear));  // a factor of 8 is not yet more
  BOOST_TEST((scale_of(1.0, 8.1).kind == Scale::Kind::log));
  BOOST_TEST((scale_of(0.0, 100.0).kind == Scale::Kind::linear));  // zero has no logarithm
  BOOST_TEST((scale_of(-5.0, 100.0).kind == Scale::Kind::linear));
}

BOOST_AUTO_TEST_CASE(codes_cover_the_range_and_nothing_else) {
  const Scale linear{Scale::Kind::linear, 10.0, 20.0};
  BOOST_TEST(linear.code(10.0) == 0);
  BOOST_TEST(linear.code(20.0) == 65534);
  BOOST_TEST(linear.code(15.0) == 32767);
  for (const double outside : {9.9, 20.1, std::nan(""), std::numeric_limits<double>::infinity()})
    BOOST_TEST(linear.code(outside) == missing_code);
  const Scale log{Scale::Kind::log, 1.0, 100.0};
  BOOST_TEST(log.code(10.0) == 32767);
  BOOST_TEST((Scale{Scale::Kind::linear, 3.0, 3.0}.code(3.0)) == 0);  // one value
}

BOOST_AUTO_TEST_CASE(a_code_is_within_half_a_step) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-3.0, 5.0);
  const Scale scale = scale_of(1e-3, 1e5);
  for (int i = 0; i < 1000; ++i) {
    const double value = std::pow(10.0, exponent(random));
    const double back = 1e-3 * std::pow(1e8, scale.code(value) / 65534.0);
    BOOST_TEST(std::abs(std::log(back / value)) <= std::log(1e8) / 65534.0 * 0.5000001);
  }
}

BOOST_AUTO_TEST_CASE(every_value_is_counted_in_the_bin_of_its_share) {
  std::mt19937_64 random(5);
  for (const auto& [least, most] :
       {std::pair{0.0, 48.0}, std::pair{-1.0, 1.0}, std::pair{1e-9, 3e4}, std::pair{2.0, 17.0}}) {
    const Scale scale = scale_of(least, most);
    Histogram histogram(scale);
    std::uniform_real_distribution<double> any(least, most);
    std::array<std::uint64_t, bin_count> expected{};
    std::uint64_t near_edges = 0;
    for (int i = 0; i < 20000; ++i) {
      const double value = scale.kind == Scale::Kind::log
                               ? least * std::pow(most / least, (any(random) - least) / (most - least))
                               : any(random);
      const double share = scale.kind == Scale::Kind::log ? std::log(value / least) / std::log(most / least)
                                                          : (value - least) / (most - least);
      const double place = share * static_cast<double>(bin_count);
      if (std::abs(place - std::round(place)) < 1e-9) {
        ++near_edges;
        continue;
      }
      histogram.add(value);
      ++expected[static_cast<std::size_t>(place)];
    }
    BOOST_TEST(near_edges < 10U);
    BOOST_TEST(histogram.counts() == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(ends_count_and_what_is_outside_does_not) {
  Histogram histogram(scale_of(1.0, 100.0));
  for (const double value : {1.0, 100.0, 0.5, 101.0, std::nan("")}) histogram.add(value);
  BOOST_TEST(histogram.counts().front() == 1U);
  BOOST_TEST(histogram.counts().back() == 1U);
  BOOST_TEST(std::accumulate(histogram.counts().begin(), histogram.counts().end(), std::uint64_t{0}) == 2U);
  Histogram single(scale_of(4.0, 4.0));
  single.add(4.0);
  BOOST_TEST(std::accumulate(single.counts().begin(), single.counts().end(), std::uint64_t{0}) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::report
