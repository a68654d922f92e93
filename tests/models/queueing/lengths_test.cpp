/// Lengths and arrival times: their moments, that they are the same everywhere, and the arithmetic behind them.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/queueing/arrivals.hpp"
#include "models/queueing/lengths.hpp"
#include "models/queueing/portable_math.hpp"
#include "models/statistics/distributions.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(lengths_test)

using namespace dfsweep;
using namespace dfsweep::queueing;
namespace bdata = boost::unit_test::data;

struct LawCase {
  const char* why;
  LengthDistribution lengths;
  double mean;
  double deviation;
  double largest;  ///< as `moments_of` gives it
};

const std::vector<LawCase> laws = {
    {"constant: nothing varies", {.mean = 1000}, 1000, 0, 1000},
    {"uniform on 800 to 1200: deviation 400 / sqrt(12)", {LengthLaw::uniform, 1000, 0.2}, 1000, 115.47, 1200},
    {"log-normal: deviation is spread times mean; quantile 0.999 of sigma 0.4724",
     {LengthLaw::log_normal, 1000, 0.5},
     1000,
     500,
     1000 * std::exp(3.0902323 * 0.472381 - 0.5 * 0.223144)},
    // Density 1/x on [s, 100 s]: mean 99 s / ln 100, so s = 46.517; mean square (10^4 - 1) s^2 / (2 ln 100).
    {"zipf with exponent 1", {LengthLaw::zipf, 1000, 0, 1.0, 100}, 1000, std::sqrt(2349102.0 - 1e6), 4651.7},
    // Density x^-2 on [s, 10 s]: mean s ln 10 / 0.9, so s = 390.865; mean square s^2 9 / 0.9.
    {"zipf with exponent 2", {LengthLaw::zipf, 1000, 0, 2.0, 10}, 1000, std::sqrt(1527755.0 - 1e6), 3908.65},
};

BOOST_DATA_TEST_CASE(laws_have_their_moments, bdata::make(laws), row) {
  const LengthMoments moments = moments_of(row.lengths);
  BOOST_CHECK_CLOSE(moments.mean, row.mean, 1e-9);
  BOOST_CHECK_SMALL(std::sqrt(std::max(0.0, moments.variance)) - row.deviation, 1e-4 * row.mean);
  BOOST_CHECK_CLOSE(moments.largest, row.largest, 1e-2);
  const LengthSampler sampler(row.lengths);
  const CounterRandom random(1);
  constexpr int draws = 100000;
  double sum = 0.0;
  double squares = 0.0;
  for (int k = 0; k < draws; ++k) {
    const double x = sampler.at(random, static_cast<std::uint64_t>(k));
    sum += x / draws;
    squares += x * x / draws;
  }
  // Five standard errors of the mean, and rounding to whole tokens.
  BOOST_CHECK_SMALL(sum - row.mean, 5.0 * row.deviation / std::sqrt(draws) + 0.01);
  BOOST_CHECK_SMALL(std::sqrt(std::max(0.0, squares - sum * sum)) - row.deviation, 0.02 * row.deviation + 0.01);
}

BOOST_AUTO_TEST_CASE(draws_do_not_depend_on_the_host) {
  // Written down once; any other number on any machine is a defect.
  const CounterRandom random(42);
  const auto first = [&](const LengthDistribution& lengths) {
    std::vector<std::uint32_t> tokens;
    for (std::uint64_t k = 0; k < 4; ++k) tokens.push_back(LengthSampler(lengths).at(random, k));
    return tokens;
  };
  BOOST_TEST(first({LengthLaw::uniform, 1000, 0.2}) == (std::vector<std::uint32_t>{937, 1182, 995, 827}));
  BOOST_TEST(first({LengthLaw::log_normal, 1000, 0.5}) == (std::vector<std::uint32_t>{739, 2000, 880, 441}));
  BOOST_TEST(first({LengthLaw::zipf, 1000}) == (std::vector<std::uint32_t>{226, 3794, 437, 63}));
}

BOOST_AUTO_TEST_CASE(the_client_shortens_nominal_lengths) {
  // floor(1024 (0.8 + 0.2 u)): 819 to 1023, each as often as its neighbour.
  const LengthSampler sampler(shortened_lengths(1024));
  const CounterRandom random(3);
  std::uint32_t least = 2000;
  std::uint32_t most = 0;
  for (std::uint64_t k = 0; k < 20000; ++k) {
    const std::uint32_t tokens = sampler.at(random, k);
    BOOST_TEST(tokens == static_cast<std::uint32_t>(std::floor(1024 * (0.8 + 0.2 * random.uniform(k)) + 1e-9)));
    least = std::min(least, tokens);
    most = std::max(most, tokens);
  }
  BOOST_TEST(least == 819u);
  BOOST_TEST(most == 1023u);
}

BOOST_AUTO_TEST_CASE(lengths_are_at_least_one_token) {
  const LengthSampler sampler({LengthLaw::log_normal, 1.0, 2.0});
  const CounterRandom random(3);
  for (std::uint64_t k = 0; k < 1000; ++k) BOOST_TEST(sampler.at(random, k) >= 1u);
}

BOOST_AUTO_TEST_CASE(portable_functions_are_as_exact_as_those_of_the_library) {
  const CounterRandom random(5);
  for (std::uint64_t k = 0; k < 20000; ++k) {
    const double x = 60.0 * (random.uniform(3 * k) - 0.5);
    BOOST_CHECK_CLOSE(portable_exp(x), std::exp(x), 1e-13);
    const double y = std::exp(x);
    BOOST_CHECK_SMALL(portable_log(y) - std::log(y), 1e-15 * std::max(1.0, std::abs(std::log(y))) + 1e-16);
    const double p = random.uniform(3 * k + 1) * (k % 2 == 0 ? 1.0 : 1e-6) + 1e-12;
    BOOST_CHECK_SMALL(portable_normal_quantile(p) - normal_quantile(p), 1e-13 * (1.0 + std::abs(normal_quantile(p))));
  }
}

struct ArrivalCase {
  const char* why;
  Arrivals arrivals;
  double variation;  ///< coefficient of variation of the gaps
};

Arrivals open_arrivals(ArrivalLaw law, double variation = 1.0) {
  return {.law = law, .rate = Frequency{2.0}, .variation = variation};
}

const std::vector<ArrivalCase> arrival_laws = {
    {"exponential gaps", open_arrivals(ArrivalLaw::poisson), 1.0},
    {"equal gaps", open_arrivals(ArrivalLaw::uniform), 0.0},
    {"gamma with variation 1 is exponential", open_arrivals(ArrivalLaw::gamma, 1.0), 1.0},
    {"smooth gamma: shape 4", open_arrivals(ArrivalLaw::gamma, 0.5), 0.5},
    {"bursty gamma: shape 1/9, below 1", open_arrivals(ArrivalLaw::gamma, 3.0), 3.0},
};

BOOST_DATA_TEST_CASE(gaps_have_their_rate_and_variation, bdata::make(arrival_laws), row) {
  constexpr int count = 200000;
  ArrivalTimes times(row.arrivals, 1, 9);
  double last = 0.0;
  double squares = 0.0;
  for (int k = 0; k < count; ++k) {
    const double now = times.next().value();
    BOOST_REQUIRE(now >= last);
    squares += (now - last) * (now - last) / count;
    last = now;
  }
  const double mean = last / count;
  BOOST_CHECK_SMALL(mean / 0.5 - 1.0, 5.0 * row.variation / std::sqrt(count) + 1e-9);
  BOOST_CHECK_SMALL(std::sqrt(std::max(0.0, squares / (mean * mean) - 1.0)) - row.variation,
                    0.05 * row.variation + 1e-5);
}

BOOST_AUTO_TEST_CASE(groups_come_at_once) {
  // Groups of 4 at a rate of 2 a second: one every 2 seconds, the first at time 0.
  ArrivalTimes times({.law = ArrivalLaw::burst, .rate = Frequency{2.0}, .group = 4}, 1, 0);
  for (int k = 0; k < 12; ++k) BOOST_TEST(times.next().value() == 2.0 * (k / 4));
  ArrivalTimes all({.law = ArrivalLaw::burst, .rate = Frequency{2.0}}, 1, 0);
  for (int k = 0; k < 12; ++k) BOOST_TEST(all.next().value() == 0.0);
}

BOOST_AUTO_TEST_CASE(conversations_come_as_often_as_their_turns_ask) {
  ArrivalTimes times(open_arrivals(ArrivalLaw::uniform), 5, 0);
  BOOST_TEST(times.next().value() == 2.5);  // 5 requests at 2 a second
}

BOOST_AUTO_TEST_SUITE_END()
