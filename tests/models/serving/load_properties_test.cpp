/// Properties of `serving` under load that need more than neighbours: the capacity, changes by little, and simulations
/// of random deployments. DFSWEEP_LONG_TESTS=1 in the environment takes ten times as many.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "models/profiled/estimator.hpp"
#include "models/serving/estimator.hpp"
#include "tests/support/property_report.hpp"
#include "tests/support/serving_domain.hpp"

BOOST_AUTO_TEST_SUITE(load_properties_test)

using namespace dfsweep;
using namespace dfsweep::serving;
using testing::PropertyTally;
using testing::RandomValues;
using testing::ServingCatalogue;
using testing::ServingPoint;
using testing::ServingPoints;

namespace {

using enum Parameter;

int rounds(int count) {
  return std::getenv("DFSWEEP_LONG_TESTS") != nullptr ? 10 * count : count;
}

void estimate(ServingPoints& points) {
  points.estimate(*make_serving_estimator(profiled::make_step_times));
}

bool is_ok(const ServingPoints& points, std::size_t i) {
  return points.status(i) == index_of(Status::ok);
}

/// Random points of the domain with an open stream of requests.
std::vector<ServingPoint> open_points(const ServingCatalogue& catalogue, int count, std::uint64_t seed) {
  RandomValues random(seed);
  std::vector<ServingPoint> found;
  while (static_cast<int>(found.size()) < count) {
    ServingPoint point = catalogue.random_point(random);
    if (point[batching].text == "static") continue;
    point.leave_open(concurrency).leave_open(requests).set(load, 1.0).set(arrival_rate, 1e-9);
    found.push_back(point);
  }
  return found;
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? absent : values[values.size() / 2];
}

}  // namespace

// Below the capacity a stream is served within the limits, above it is not.
BOOST_AUTO_TEST_CASE(the_capacity_is_where_statuses_change) {
  const ServingCatalogue catalogue;
  const std::vector<ServingPoint> bases = open_points(catalogue, rounds(300), 7);
  ServingPoints lone;
  for (const ServingPoint& base : bases) lone.add(base);
  estimate(lone);
  ServingPoints near;
  std::vector<bool> is_below;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const double capacity = lone.metric(i, Metric::capacity);
    if (!is_given(capacity) || !(capacity > 1e-6)) continue;
    for (const double share : {0.5, 0.99, 0.999, 1.001, 1.1}) {
      near.add(ServingPoint(bases[i]).set(arrival_rate, share * capacity));
      is_below.push_back(share < 1);
    }
  }
  estimate(near);
  BOOST_TEST(near.size() > 500U);
  PropertyTally tally;
  for (std::size_t i = 0; i < near.size(); ++i)
    tally.check(is_below[i] ? "below the capacity" : "above the capacity", is_ok(near, i) == is_below[i],
                [&] { return near.point(i).text(); });
  testing::report(tally, near.size(), 2);
}

// A thousandth more arrivals, or one user more, changes times by little; a user more takes a part of the caches of
// conversations, too. Near the highest rate r the wait grows as
// 1 / (1 - load), and many places make it a steep power of the load, so that the loads here are at most a half.
BOOST_AUTO_TEST_CASE(times_are_continuous_in_traffic) {
  const ServingCatalogue catalogue;
  RandomValues random(11);
  ServingPoints points;
  const Metric continuous[] = {Metric::time_to_first_token, Metric::time_per_output_token, Metric::request_latency,
                               Metric::request_rate};
  const auto compare = [&](const char* why, const ServingPoint& base, Parameter p, double from, double to,
                           double change) {
    const std::size_t a = points.add(ServingPoint(base).set(p, from));
    const std::size_t b = points.add(ServingPoint(base).set(p, to));
    for (const Metric m : continuous) {
      points.expect_less(why, a, b, m, 1 + change);
      points.expect_less(why, b, a, m, 1 + change);
    }
  };
  for (const ServingPoint& base : open_points(catalogue, rounds(300), 9)) {
    const ServingPoint open = ServingPoint(base).leave_open(arrival_rate);
    const double share = random.rate(1e-3, 0.5);
    compare("a thousandth more arrivals", open, load, share, 1.001 * share, 2e-2);
    const double users = random.whole(1000, 5000);
    // Where the last place is taken, first tokens begin to wait for whole answers: places are fewer than users here.
    compare("one more user", ServingPoint(open).set(load, 1.0).set(requests_per_user, 1e9).set(batch_limit, 256),
            concurrency, users, users + 1, 5e-2);
  }
  estimate(points);
  PropertyTally tally;
  points.compare(tally);
  testing::report(tally, points.size(), 8);
}

namespace {

/// What a simulated point says, by itself.
void check_simulated(const ServingPoints& points, std::size_t i, PropertyTally& tally) {
  const auto metric = [&](Metric m) { return points.metric(i, m); };
  const auto tell = [&](const char* property, bool holds) {
    tally.check(property, holds, [&] { return points.point(i).text(); });
  };
  struct Times {
    Metric mean, p50, p90, p99;
  };
  constexpr Times all[] = {
      {Metric::time_to_first_token, Metric::time_to_first_token_p50, Metric::time_to_first_token_p90,
       Metric::time_to_first_token_p99},
      {Metric::time_per_output_token, Metric::time_per_output_token_p50, Metric::time_per_output_token_p90,
       Metric::time_per_output_token_p99},
      {Metric::request_latency, Metric::request_latency_p50, Metric::request_latency_p90, Metric::request_latency_p99},
      {Metric::waiting_time, Metric::waiting_time_p50, Metric::waiting_time_p90, Metric::waiting_time_p99}};
  constexpr double rounding = ServingPoints::rounding;
  for (const Times& times : all) {
    const double p50 = metric(times.p50);
    const double p90 = metric(times.p90);
    const double p99 = metric(times.p99);
    tell("quantiles are in order", 0 <= p50 && p50 <= p90 && p90 <= p99);
    // Of the requests 50, 10 and 1 % take longer than a quantile (Markov); neighbours share a place between them.
    const double mean = metric(times.mean) * rounding;
    tell("a mean is at least its part beyond a quantile", mean >= 0.45 * p50 && mean >= 0.08 * p90);
  }
  tell("what keeps the limits is served", metric(Metric::goodput) <= metric(Metric::request_rate) * rounding);
  const double think = points.point(i).number(think_time);
  const double inside = metric(Metric::request_rate) * (metric(Metric::request_latency) + think);
  tell("Little's law of a simulation", std::abs(metric(Metric::users) - inside) <= 1e-9 * inside);
  tell("nothing is lost without need", metric(Metric::preemptions) >= 0);
}

}  // namespace

// The closed form leaves out what lengths have in common with waits: in the middle of random deployments it is close. A
// simulated stream of requests begins and ends with few of them, which counts in running_batch most.
BOOST_AUTO_TEST_CASE(simulations_agree_with_the_closed_form) {
  const ServingCatalogue catalogue;
  RandomValues random(5);
  ServingPoints points;
  for (int i = 0; i < rounds(150); ++i) {
    const ServingPoint base = catalogue.moderate_point(random);
    points.add(base);
    points.add(ServingPoint(base).set(queueing, "simulated"));
  }
  estimate(points);
  PropertyTally tally;
  struct Agreement {
    Metric metric;
    double median;  ///< of the size of the relative difference
    std::vector<double> differences;
  };
  Agreement agreements[] = {{Metric::time_per_output_token, 0.03, {}},
                            {Metric::time_to_first_token, 0.08, {}},
                            {Metric::request_latency, 0.03, {}},
                            {Metric::request_rate, 0.04, {}},
                            {Metric::running_batch, 0.08, {}}};
  for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
    if (!is_ok(points, i) || !is_ok(points, i + 1)) continue;
    check_simulated(points, i + 1, tally);
    for (Agreement& a : agreements)
      a.differences.push_back(std::abs(points.metric(i + 1, a.metric) / points.metric(i, a.metric) - 1));
  }
  testing::report(tally, points.size(), 5);
  for (const Agreement& a : agreements) {
    BOOST_TEST(a.differences.size() > points.size() / 4);
    const double median = median_of(a.differences);
    BOOST_TEST_MESSAGE("metric " << index_of(a.metric) << ": median difference " << median);
    BOOST_TEST(median < a.median, "metric " << index_of(a.metric) << ": median difference " << median);
  }
}

// A broken limit leaves all figures of the simulation, and is named by what breaks it.
BOOST_AUTO_TEST_CASE(simulations_say_which_limit_is_broken) {
  const ServingCatalogue catalogue;
  RandomValues random(12);
  ServingPoints points;
  for (int i = 0; i < rounds(80); ++i) {
    ServingPoint point = catalogue.moderate_point(random);
    point.set(queueing, "simulated");
    if (random.one_in(2)) point.set(time_to_first_token_limit, random.rate(1e-2, 10));
    if (random.one_in(2)) point.set(time_per_output_token_limit, random.rate(1e-3, 0.1));
    if (random.one_in(2)) point.set(limit_quantile, random.one_of({0.5, 0.9, 0.99, 1.0}));
    points.add(point);
  }
  estimate(points);
  PropertyTally tally;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ServingPoint& point = points.point(i);
    const auto tell = [&](const char* property, bool holds) {
      tally.check(property, holds, [&] { return point.text(); });
    };
    const bool is_first = points.status(i) == index_of(Status::first_token_limit);
    const bool is_later = points.status(i) == index_of(Status::latency_limit);
    if (!is_ok(points, i) && !is_first && !is_later) continue;
    check_simulated(points, i, tally);
    if (is_first) tell("a first token breaks a given limit", !point.is_open(time_to_first_token_limit));
    if (is_later) tell("a token breaks a given limit", !point.is_open(time_per_output_token_limit));
    const double shortfall = points.metric(i, Metric::shortfall);
    tell("what breaks a limit is above it", is_ok(points, i) ? !is_given(shortfall) : !(shortfall <= 1));
    if (point.is_open(limit_quantile)) continue;
    const double kept = points.metric(i, Metric::goodput) / points.metric(i, Metric::request_rate);
    tell("enough requests keep the limits",
         (kept >= point.number(limit_quantile) / ServingPoints::rounding) == is_ok(points, i));
  }
  testing::report(tally, points.size(), 8);
}

// Engines that answer a token or two are faster than a front, which takes 0.3 ms for a request.
BOOST_AUTO_TEST_CASE(no_more_is_served_than_fronts_let_through) {
  constexpr double serial = 3e-4;
  const ServingCatalogue catalogue;
  RandomValues random(13);
  ServingPoints points;
  for (int i = 0; i < rounds(40); ++i) {
    ServingPoint point = catalogue.moderate_point(random);
    point.set(prompt_tokens, random.whole(1, 20)).set(output_tokens, random.whole(1, 3)).set(output_spread, 0.0);
    point.set(peak_flops, 1e16).set(dram_bandwidth, 1e14).set(pools, "shared").leave_open(load);
    const double users = random.whole(10, 3000);
    for (const double count : {users, 2 * users}) {
      points.add(point.set(concurrency, count).set(requests_per_user, 20).set(queueing, "steady"));
      points.add(ServingPoint(point).set(queueing, "simulated"));
    }
  }
  estimate(points);
  PropertyTally tally;
  std::vector<double> differences;
  int bound = 0;
  for (std::size_t i = 0; i < points.size(); i += 2) {
    if (!is_ok(points, i)) continue;
    const auto tell = [&](const char* property, bool holds) {
      tally.check(property, holds, [&] { return points.point(i).text(); });
    };
    const double most = points.point(i).number(replicas) / serial;
    const double rate = points.metric(i, Metric::request_rate);
    tell("the rate of the fronts", rate <= most * (1 + 1e-3));
    tell("the capacity of the fronts", points.metric(i, Metric::capacity) <= most * (1 + 1e-9));
    // Where ranks wait for one another's prompts, more of these come sooner.
    if (i % 4 == 0 && points.point(i)[engine].text != "whole") {
      tell("more users, no lower rate", points.metric(i + 2, Metric::request_rate) >= rate * (1 - 1e-2));
      tell("more users wait longer",
           points.metric(i + 2, Metric::request_latency) >= points.metric(i, Metric::request_latency) * (1 - 1e-2));
    }
    if (rate < 0.95 * most) continue;
    ++bound;
    differences.push_back(
        std::abs(points.metric(i + 1, Metric::request_latency) / points.metric(i, Metric::request_latency) - 1));
  }
  testing::report(tally, points.size(), 4);
  BOOST_TEST(bound > 10);
  BOOST_TEST(median_of(differences) < 0.05);
}

BOOST_AUTO_TEST_SUITE_END()
