/// Average watts of a step whose times are round figures.
#include "models/calculon/points/step_watts.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/small_system.hpp"

BOOST_AUTO_TEST_SUITE(step_watts_test)

namespace {

using namespace dfsweep;
using namespace dfsweep::calculon;
namespace tt = boost::test_tools;

/// 100 W of 500 W while nothing runs.
cost::Bill bill() {
  cost::Bill bill;
  bill.idle = Watts{100};
  bill.limit = Watts{500};
  return bill;
}

/// Two blocks and four micro batches, each with 1000 FLOP forward and 2000 backward.
double watts_of(const BatchTimes& times) {
  BlockSums block;
  block.forward.flops = 1000;
  block.activation_gradient.flops = 1000;
  block.weight_gradient.flops = 1000;
  const OptimizerSums optimizer;
  const calculon::System system = dfsweep::testing::small_system();
  const Execution execution;
  StageShape shape;
  shape.blocks = 2;
  shape.micro_batches = 4;
  const Results results{.inputs = {block, optimizer, system, execution, shape},
                        .memory = {},
                        .passes = {},
                        .times = times,
                        .bandwidths = {},
                        .useful_flops = {}};
  return average_watts(bill(), results).value();
}

BatchTimes round_times() {
  BatchTimes t;
  t.forward = 80;
  t.backward = 160;
  t.optimizer = 10;
  t.tensor_exposed = 20;
  t.redo_exposed = 5;
  t.pipeline = 5;
  t.data.exposed = 10;
  t.forward_offload = 5;
  t.backward_offload = 5;
  t.bubble = 100;
  t.total = 400;
  return t;
}

}  // namespace

BOOST_AUTO_TEST_CASE(shares_of_the_step_add_up) {
  // 24 000 FLOP at a peak of 1000 FLOP/s in 250 s of processing: 0.096 of the peak. 50 s of exchanges, 100 s of bubble.
  const double load = (0.2 + 0.26 + 3.0 * 0.096) / 0.95;
  const double computing = 0.95 * load / std::pow(1 + std::pow(load, 8), 0.125);
  const double expected = 500 * (250.0 / 400 * computing + 50.0 / 400 * (0.2 + 0.26) + 100.0 / 400 * 0.2);
  BOOST_TEST(watts_of(round_times()) == expected, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(forward_passes_that_are_done_again_count) {
  // All forward passes again: 8000 FLOP more in 80 s more.
  BatchTimes t = round_times();
  t.recompute = 80;
  t.total += 80;
  const double load = (0.2 + 0.26 + 3.0 * 32.0 / 330) / 0.95;
  const double computing = 0.95 * load / std::pow(1 + std::pow(load, 8), 0.125);
  const double expected = 500 * (330.0 / 480 * computing + 50.0 / 480 * (0.2 + 0.26) + 100.0 / 480 * 0.2);
  BOOST_TEST(watts_of(t) == expected, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(waiting_draws_less_and_an_idle_step_idle_power) {
  double last = watts_of(round_times());
  for (const double bubble : {200.0, 1e3, 1e4}) {
    BatchTimes t = round_times();
    t.total += bubble - t.bubble;
    t.bubble = bubble;
    const double watts = watts_of(t);
    BOOST_TEST(watts < last);
    BOOST_TEST(watts > 100);
    last = watts;
  }
}

BOOST_AUTO_TEST_SUITE_END()
