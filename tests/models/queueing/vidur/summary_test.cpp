/// Quantiles, time-weighted means and the search for the capacity, against hand-computed values.
#include "models/queueing/vidur/summary.hpp"

#include <boost/test/unit_test.hpp>

#include "models/queueing/vidur/capacity.hpp"

BOOST_AUTO_TEST_SUITE(summary_test)

using namespace dfsweep;
using namespace dfsweep::vidur;

BOOST_AUTO_TEST_CASE(quantiles_lie_between_neighbours) {
  const double sorted[] = {1.0, 2.0, 4.0, 8.0};
  BOOST_TEST(quantile_of(sorted, 0.0) == 1.0);
  BOOST_TEST(quantile_of(sorted, 0.5) == 3.0);  // rank 1.5
  BOOST_TEST(quantile_of(sorted, 1.0) == 8.0);
}

BOOST_AUTO_TEST_CASE(samples_with_counts_are_like_repeated_values) {
  const std::vector<Sample> samples{{3.0, 5}, {1.0, 2}, {10.0, 1}, {2.0, 4}};
  std::vector<double> values;
  for (const Sample& sample : samples) values.insert(values.end(), sample.count, sample.value);
  const Distribution weighted = distribution_of(samples);
  const Distribution repeated = distribution_of(values);
  BOOST_TEST(weighted.mean == repeated.mean);
  BOOST_TEST(weighted.p50 == repeated.p50);
  BOOST_TEST(weighted.p90 == repeated.p90);
  BOOST_TEST(weighted.p95 == repeated.p95);
  BOOST_TEST(weighted.p99 == repeated.p99);
}

BOOST_AUTO_TEST_CASE(means_over_time_begin_at_the_first_sample_after_zero) {
  TimeWeightedMean mean;
  mean.sample(0.0, 7.0);
  mean.sample(2.0, 1.0);  // the interval from zero does not count
  mean.sample(4.0, 3.0);
  mean.sample(5.0, 0.0);
  BOOST_TEST(mean.mean() == (1.0 * 2.0 + 3.0 * 1.0) / 3.0);
  BOOST_TEST(!is_given(TimeWeightedMean{}.mean()));
}

BOOST_AUTO_TEST_CASE(the_search_closes_in_on_a_sharp_limit) {
  // The delay is zero up to a rate of 10 and 100 s above it.
  const Capacity found =
      find_capacity({.start_rate = 1.0}, [](double rate) { return std::optional(rate <= 10.0 ? 0.0 : 100.0); });
  BOOST_TEST(found.rate <= 10.0);
  BOOST_TEST(found.rate > 9.5);
  BOOST_TEST(found.steps.size() <= 20);
  const Capacity none = find_capacity({}, [](double) { return std::optional<double>(); });
  BOOST_TEST(!is_given(none.rate));
}

BOOST_AUTO_TEST_SUITE_END()
