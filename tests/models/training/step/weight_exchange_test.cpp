/// Weight exchange: how much of it stays visible with more micro-batches.
#include "models/training/step/weight_exchange.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/statistics/random.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(weight_exchange_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

Seconds visible(TrainingPoint point, Sharding sharding, double micro_batches, Seconds computing) {
  point.execution.sharding = sharding;
  point.execution.batch.global = micro_batches * point.execution.parallel.data;
  return visible_weight_exchange(point, computing);
}

struct CountCase {
  const char* why;
  double micro_batches;
  double exchanges;  ///< visible reduce-scatters and all-gathers of 16-bit numbers
};

// Nothing hides: each micro-batch scatters its gradients, and weights are gathered once.
const CountCase count_cases[] = {{"one", 1, 2}, {"two", 2, 3}, {"eight", 8, 9}, {"sixty-four", 64, 65}};

}  // namespace

BOOST_DATA_TEST_CASE(sharded_gradients_are_scattered_by_every_micro_batch, bdata::make(count_cases)) {
  TrainingPoint point = testing::training_point();
  const Seconds once = visible(point, Sharding::optimizer, sample.micro_batches, Seconds{});
  const Seconds found = visible(point, Sharding::gradients, sample.micro_batches, Seconds{});
  BOOST_TEST(found.value() == sample.exchanges / 2 * once.value(), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(what_a_micro_batch_computes_hides_its_gradients) {
  TrainingPoint point = testing::training_point();
  point.software.links.gradient_hidden = 0.5;
  point.software.links.gradient_exposed = 0.25;
  const double both = visible(point, Sharding::optimizer, 8, Seconds{}).value();  // scatter and gather, equal
  const double computing = 8 * both;                                              // room for half of `both` each
  const double found = visible(point, Sharding::gradients, 8, Seconds{computing}).value();
  BOOST_TEST(found == 7 * 0.25 * both / 2 + both / 2, tt::tolerance(1e-12));
}

namespace {

struct WindowCase {
  const char* why;
  double stages;
  double chunks;
  double micro_batches;
  double share;  ///< of the computing that hides gradients; a micro-batch hides half of itself
};
const WindowCase window_cases[] = {
    {"half of the last micro-batch", 1, 1, 8, 0.5 / 8},
    {"a pipeline of whole stages", 4, 1, 8, 0.5 / 8},
    {"the later chunks of the last four micro-batches", 4, 4, 16, 4.0 / 16 * 3 / 4},
    {"at most half of all", 8, 8, 8, 0.5},
};

}  // namespace

BOOST_DATA_TEST_CASE(chunks_of_a_pipeline_hide_gradients_of_earlier_chunks, bdata::make(window_cases)) {
  TrainingPoint point = testing::training_point();
  point.software.links.gradient_hidden = 0.5;
  point.software.links.gradient_exposed = 0;
  point.execution.parallel.pipeline = sample.stages;
  point.execution.parallel.chunks_per_stage = sample.chunks;
  const double whole = visible(point, Sharding::optimizer, sample.micro_batches, Seconds{}).value();
  const double computing = 0.25 * whole;
  const double found = visible(point, Sharding::optimizer, sample.micro_batches, Seconds{computing}).value();
  BOOST_TEST(found == whole - sample.share * computing, tt::tolerance(1e-12));
}

namespace {

TrainingPoint random_point(const CounterRandom& random, std::uint64_t i) {
  const auto draw = [&](std::uint64_t k) { return random.uniform(16 * i + k); };
  const auto power = [&](std::uint64_t k, int most) {
    return static_cast<double>(1U << static_cast<unsigned>(draw(k) * most));
  };
  TrainingPoint point = testing::training_point();
  if (draw(0) < 0.5) point.architecture = testing::small_expert_decoder();
  Parallelism& p = point.execution.parallel;
  p.tensor = power(1, 4);
  p.data = power(2, 8);
  p.context = power(3, 2);
  point.execution.sharding_group = draw(4) < 0.5 ? 0 : power(5, 4);
  LinkEfficiency& links = point.software.links;
  links.gradient_hidden = draw(6);
  links.gradient_exposed = draw(7);
  point.network.across.bandwidth = Bandwidth{1e9 * power(8, 8)};
  return point;
}

}  // namespace

// Whatever hides, sharding gradients too never makes the exchange cheaper, and equals the other for one micro-batch.
BOOST_AUTO_TEST_CASE(sharding_gradients_is_never_cheaper_than_sharding_the_optimizer) {
  const CounterRandom random(20);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const TrainingPoint point = random_point(random, i);
    const double micro_batches = 1 + std::floor(64 * random.uniform(16 * i + 9));
    const Seconds computing{10 * random.uniform(16 * i + 10)};
    const Seconds optimizer = visible(point, Sharding::optimizer, micro_batches, computing);
    const Seconds gradients = visible(point, Sharding::gradients, micro_batches, computing);
    BOOST_REQUIRE_GE(gradients.value(), optimizer.value());
    BOOST_REQUIRE_EQUAL(visible(point, Sharding::gradients, 1, computing).value(),
                        visible(point, Sharding::optimizer, 1, computing).value());
  }
}

BOOST_AUTO_TEST_SUITE_END()
