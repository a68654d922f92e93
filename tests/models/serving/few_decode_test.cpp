/// `serving` beside its own simulation where few requests decode: in steps that are longer than those of prompts, in
/// pools that prompts limit, and of users who send all at once.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "models/profiled/estimator.hpp"
#include "models/serving/estimator.hpp"
#include "tests/support/serving_domain.hpp"

BOOST_AUTO_TEST_SUITE(few_decode_test)

using namespace dfsweep;
using namespace dfsweep::serving;
using testing::ServingCatalogue;
using testing::ServingPoint;
using testing::ServingPoints;

namespace {

using enum Parameter;

struct Deployment {
  const char* what;
  ServingPoint point;
  double tolerance;  ///< of rate and latency, relative
};

ServingPoint base(const ServingCatalogue& catalogue) {
  return catalogue.latent_experts_on_two_stages().set(dram_capacity, 1e14);
}

std::vector<Deployment> deployments(const ServingCatalogue& catalogue) {
  std::vector<Deployment> all;
  // A step of 150 beams takes many times as long as 92 tokens of a prompt, of which it leaves one to the other request.
  for (const double places : {1.0, 2.0, 8.0})
    all.push_back({"beams and a small chunk",
                   base(catalogue)
                       .set(beams, 150)
                       .set(chunk_tokens, 92)
                       .set(prompt_tokens, 20000)
                       .set(output_tokens, 3)
                       .set(batch, places)
                       .set(concurrency, 50),
                   0.15});
  // Prompts take a third of their pool, answers hardly anything of theirs: hardly any waits for a place.
  all.push_back({"a pool of prompts",
                 base(catalogue)
                     .set(pools, "separate")
                     .set(prefill_replicas, 1)
                     .set(decode_replicas, 2)
                     .set(batch, 1)
                     .set(prompt_tokens, 30000)
                     .set(output_tokens, 3)
                     .set(load, 0.3),
                 0.1});
  // Each waits for those before it at the front, half of all on average, and for nothing else.
  all.push_back({"a crowd at the front",
                 base(catalogue)
                     .set(peak_flops, 1e17)
                     .set(dram_bandwidth, 1e15)
                     .set(link_latency, 0.0)
                     .set(prompt_tokens, 2)
                     .set(batch, 1000)
                     .set(concurrency, 2000)
                     .set(requests_per_user, 1),
                 0.3});
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_closed_form_is_near_the_simulation) {
  const ServingCatalogue catalogue;
  const std::vector<Deployment> all = deployments(catalogue);
  ServingPoints points;
  for (const Deployment& d : all) {
    points.add(d.point);
    points.add(ServingPoint(d.point).set(queueing, "simulated"));
  }
  points.estimate(*make_serving_estimator(profiled::make_step_times));
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Metric m : {Metric::request_rate, Metric::request_latency}) {
      const double ratio = points.metric(2 * i, m) / points.metric(2 * i + 1, m);
      BOOST_TEST(std::abs(ratio - 1) < all[i].tolerance,
                 all[i].what << ", metric " << index_of(m) << ": " << ratio << " of the simulation");
    }
}

// A place more leaves the beams of one request their chunk.
BOOST_AUTO_TEST_CASE(more_places_serve_no_less) {
  const ServingCatalogue catalogue;
  const std::vector<Deployment> all = deployments(catalogue);
  ServingPoints points;
  for (std::size_t i = 0; i < 3; ++i) points.add(all[i].point);
  points.estimate(*make_serving_estimator(profiled::make_step_times));
  for (std::size_t i = 1; i < 3; ++i)
    BOOST_TEST(points.metric(i, Metric::request_rate) > 0.95 * points.metric(i - 1, Metric::request_rate));
}

// Fast replicas answer no more requests without end than their front lets through, one in 0.3 ms.
BOOST_AUTO_TEST_CASE(requests_without_end_take_turns_at_fronts) {
  const ServingCatalogue catalogue;
  ServingPoint fast = base(catalogue).set(peak_flops, 1e17).set(dram_bandwidth, 1e15).set(link_latency, 0.0);
  fast.set(prompt_tokens, 2).set(batch, 100000);
  ServingPoints points;
  points.add(fast);
  points.add(ServingPoint(fast).set(replicas, 2));
  points.add(ServingPoint(fast).set(batch, 10));
  points.estimate(*make_serving_estimator(profiled::make_step_times));
  BOOST_TEST(points.metric(0, Metric::request_rate) == 1 / 3e-4, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(points.metric(1, Metric::request_rate) == 2 / 3e-4, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(points.metric(2, Metric::request_rate) < 0.9 / 3e-4);
  for (std::size_t i = 0; i < 3; ++i)
    BOOST_TEST(points.metric(i, Metric::request_rate) * points.metric(i, Metric::request_latency) ==
                   points.metric(i, Metric::users),
               boost::test_tools::tolerance(1e-9));
}

// An answer of one token waits for the prompts of its batch, so that the best batch keeps its limit.
BOOST_AUTO_TEST_CASE(the_best_batch_keeps_the_limit_of_first_tokens) {
  const ServingCatalogue catalogue;
  ServingPoint point = base(catalogue).set(batch, "best").set(output_tokens, 1);
  ServingPoints free;
  free.add(point);
  free.estimate(*make_serving_estimator(profiled::make_step_times));
  const double most = free.metric(0, Metric::best_batch);
  const double limit = 0.5 * free.metric(0, Metric::time_to_first_token);
  ServingPoints points;
  points.add(point.set(time_to_first_token_limit, limit));
  points.estimate(*make_serving_estimator(profiled::make_step_times));
  BOOST_TEST(points.status(0) == index_of(Status::ok));
  BOOST_TEST(points.metric(0, Metric::best_batch) < most);
  const double best = points.metric(0, Metric::best_batch);
  ServingPoints beyond;
  beyond.add(ServingPoint(point).set(batch, best));
  beyond.add(ServingPoint(point).set(batch, best + 1));
  beyond.estimate(*make_serving_estimator(profiled::make_step_times));
  BOOST_TEST(beyond.status(0) == index_of(Status::ok));
  BOOST_TEST(beyond.status(1) == index_of(Status::first_token_limit));
}

BOOST_AUTO_TEST_SUITE_END()
