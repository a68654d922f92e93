/// Properties of every point of `serving` that has an estimate: random points of the accepted domain and their
/// neighbours. DFSWEEP_LONG_TESTS=1 in the environment takes 30 times as many.
///
/// point_neighbours.hpp says what is not expected, and why.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "models/profiled/estimator.hpp"
#include "models/serving/estimator.hpp"
#include "tests/models/serving/point_checks.hpp"
#include "tests/models/serving/point_neighbours.hpp"
#include "tests/support/property_report.hpp"

BOOST_AUTO_TEST_SUITE(properties_test)

using namespace dfsweep;
using namespace dfsweep::serving;
using namespace dfsweep::testing::point_checks;
using testing::PropertyTally;
using testing::RandomValues;
using testing::ServingCatalogue;
using testing::ServingPoint;
using testing::ServingPoints;

namespace {

using enum Parameter;

/// A queue multiplies what changes a prompt by a trace.
constexpr double queued = 10;
constexpr double queued_burst = 25;
constexpr double shortest_wait = 1e-6;  ///< s, below which waits are differences of times that round

/// One more of something that is there in numbers changes times by little. A stream near its highest rate waits for
/// everything that takes longer: here it asks for a share of that rate.
void add_thresholds(ServingPoints& points, const ServingCatalogue& catalogue, ServingPoint base) {
  constexpr double busy = 0.8;
  if (!is_given(base.number(batch))) return;
  if (kind_of(base) == Kind::users && base.number(chunk_tokens) < base.number(concurrency)) return;
  if (kind_of(base) == Kind::rate || (kind_of(base) == Kind::share && base.number(load) > busy))
    base.leave_open(arrival_rate).set(load, busy);
  const bool is_short = is_loaded(kind_of(base)) && base.number(output_tokens) <= 16;
  const double scale = !is_loaded(kind_of(base)) ? 1.0 : is_burst(base) ? queued_burst : queued;
  const auto compare = [&](const char* why, const ServingPoint& before, const ServingPoint& after, double change) {
    const std::size_t a = points.add(before);
    const std::size_t b = points.add(after);
    for (const Metric m : times) {
      if (is_short && m != Metric::request_latency) continue;
      points.expect_less(why, a, b, m, 1 + scale * change);
      points.expect_less(why, b, a, m, 1 + scale * change);
    }
  };
  const auto step = [&](const char* why, Parameter p, double at, double change) {
    compare(why, ServingPoint(base).set(p, at), ServingPoint(base).set(p, at + 1), change);
  };
  ServingPoint windowed = base;
  windowed.set(model, catalogue.windowed()).set(shared_prompt_tokens, 0.0);
  compare("the end of a window", ServingPoint(windowed).set(prompt_tokens, 1024),
          ServingPoint(windowed).set(prompt_tokens, 1025), 4e-3);
  ServingPoint experts = base;
  experts.set(model, catalogue.expert_counts()[0]);
  compare("one more expert", experts, ServingPoint(experts).set(model, catalogue.expert_counts()[1]), 4e-3);
  ServingPoint own = base;
  own.set(shared_prompt_tokens, 0.0);
  compare("a prompt longer than a chunk", ServingPoint(own).set(prompt_tokens, 8192),
          ServingPoint(own).set(prompt_tokens, 8193), 1e-3);
  const double chunk = std::ceil(base.number(prompt_tokens) * base.number(batch)) + 1000;
  for (const double at : {1000.0, chunk}) step("one more token of a chunk", chunk_tokens, at, 2e-3);
  if (base.is_open(concurrency)) step("one more sequence", batch, 1000, 1e-2);
  own.set(prompt_tokens, 8192);
  compare("one more shared token", ServingPoint(own).set(shared_prompt_tokens, 1000),
          ServingPoint(own).set(shared_prompt_tokens, 1001), 4e-3);
}

}  // namespace

// A lone prompt reads all experts, few tokens of answers read few of them: a prompt gains more by bandwidth than the
// rest of a short request.
BOOST_AUTO_TEST_CASE(faster_memory_shortens_short_answers) {
  const ServingCatalogue catalogue;
  ServingPoints points;
  for (const double bandwidth : {1e11, 1.2e12, 2.5e12, 3e13})
    points.add(catalogue.latent_experts_on_two_stages().set(dram_bandwidth, bandwidth));
  points.estimate(*make_serving_estimator(profiled::make_step_times));
  for (std::size_t i = 1; i < points.size(); ++i)
    for (const Metric m : times)
      BOOST_TEST(points.metric(i, m) < points.metric(i - 1, m), "bandwidth " << i << ", metric " << index_of(m));
}

BOOST_AUTO_TEST_CASE(serving_has_the_properties_of_serving) {
  const bool is_long = std::getenv("DFSWEEP_LONG_TESTS") != nullptr;
  const ServingCatalogue catalogue;
  const std::unique_ptr<Estimator> estimator = make_serving_estimator(profiled::make_step_times);
  PropertyTally tally;
  RandomValues random(41);
  std::size_t count = 0;
  for (int round = 0; round < (is_long ? 600 : 20); ++round) {
    ServingPoints points;
    for (int i = 0; i < 100; ++i) {
      const ServingPoint base = catalogue.random_point(random);
      Neighbours(points, base).add();
      add_thresholds(points, catalogue, base);
    }
    points.estimate(*estimator);
    // Where not one request fits, the figures under load are those of one, or of users.
    const auto is_full = [&](std::size_t i) { return points.status(i) == index_of(Status::out_of_memory); };
    points.compare(tally, [&](std::size_t less, std::size_t more, Metric m) {
      if (m == Metric::waiting_time && points.metric(less, m) < shortest_wait) return false;
      const bool is_first = m == Metric::time_to_first_token;
      if (is_first && (waits_for_fronts(points, less) || waits_for_fronts(points, more))) return false;
      if (is_full(less) && is_loaded(kind_of(points.point(less))) && m != Metric::request_latency) return false;
      return is_full(less) == is_full(more) || !is_loaded(kind_of(points.point(less)));
    });
    for (std::size_t i = 0; i < points.size(); ++i) Alone(points, i, tally).check();
    count += points.size();
  }
  testing::report(tally, count, 61);
}

BOOST_AUTO_TEST_SUITE_END()
