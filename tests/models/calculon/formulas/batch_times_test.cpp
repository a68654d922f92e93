/// A batch on a system of round rates: times, bubble, communication and memory, computed by hand.
#include "models/calculon/formulas/batch_times.hpp"

#include <boost/test/unit_test.hpp>

#include "models/calculon/formulas/memory_use.hpp"
#include "tests/support/small_system.hpp"

BOOST_AUTO_TEST_SUITE(batch_times_test)

namespace {

using namespace dfsweep;
using namespace dfsweep::calculon;

/// Sums of a block with round figures: forward 10 s (4 s of traffic), gradients 12 and 8 s, no collectives.
BlockSums round_block() {
  BlockSums block;
  block.forward = {.flops = 0.0, .flops_time = 6.0, .bytes = 200.0, .memory_time = 4.0, .time = 10.0};
  block.activation_gradient = {.flops = 0.0, .flops_time = 8.0, .bytes = 200.0, .memory_time = 4.0, .time = 12.0};
  block.weight_gradient = {.flops = 0.0, .flops_time = 6.0, .bytes = 100.0, .memory_time = 2.0, .time = 8.0};
  block.weight_bytes = 100.0;
  block.working_bytes = 50.0;
  block.stored_bytes = 40.0;
  block.activation_gradient_bytes = 30.0;
  block.weight_gradient_bytes = 200.0;
  block.pipeline_bytes = 5.0;
  return block;
}

constexpr OptimizerSums round_optimizer{
    .step = {0.0, 1.0, 0.0, 2.0, 3.0}, .weight_gradient_bytes = 100.0, .state_bytes = 600.0};

/// 8 blocks on 2 stages, 4 micro batches.
constexpr ModelShape model{.blocks = 8};
Execution two_stages() {
  Execution x;
  x.processors = 2;
  x.pipeline_parallel = 2;
  x.global_batch = 4;
  return x;
}

BatchTimes times_of(const Execution& x, const System& system) {
  const BlockSums block = round_block();
  const StageShape shape = stage_shape(model, x);
  const BatchInputs inputs{block, round_optimizer, system, x, shape};
  return batch_times(inputs, stage_passes(inputs));
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_stages_wait_for_one_chunk) {
  const BatchTimes t = times_of(two_stages(), dfsweep::testing::small_system());
  BOOST_TEST(t.forward == 160.0);   // 4 blocks, 4 micro batches, 10 s
  BOOST_TEST(t.backward == 320.0);  // 20 s
  BOOST_TEST(t.optimizer == 12.0);
  BOOST_TEST(t.pipeline == 8.0);  // 4 messages of 5 B at 5 B/s, each way
  BOOST_TEST(t.bubble == 122.0);  // one chunk: 4 blocks of 30 s and its two messages
  BOOST_TEST(t.total == 622.0);
}

BOOST_AUTO_TEST_CASE(interleaving_shortens_the_bubble_and_sends_more) {
  Execution x = two_stages();
  x.interleaving = 2;
  const BatchTimes t = times_of(x, dfsweep::testing::small_system());
  BOOST_TEST(t.bubble == 62.0);  // a chunk of two blocks
  BOOST_TEST(t.pipeline == 16.0);
}

BOOST_AUTO_TEST_CASE(a_left_over_micro_batch_costs_further_chunks) {
  Execution x = two_stages();
  x.interleaving = 2;
  x.global_batch = 5;
  const BatchTimes t = times_of(x, dfsweep::testing::small_system());
  BOOST_TEST(t.bubble == 124.0);  // and (v - 1) (p - 5 mod 2) = 1 more
}

BOOST_AUTO_TEST_CASE(gradients_are_reduced_block_by_block) {
  Execution x = two_stages();
  x.processors = 4;
  x.data_parallel = 2;
  x.global_batch = 8;
  const BatchTimes t = times_of(x, dfsweep::testing::small_system());
  BOOST_TEST(t.data.link == 80.0);  // 4 blocks of 100 B at 5 B/s
  BOOST_TEST(t.data.exposed == 80.0);
}

BOOST_AUTO_TEST_CASE(offload_waits_for_what_a_block_does_not_hide) {
  Execution x = two_stages();
  x.weight_offload = true;
  const BatchTimes t = times_of(x, dfsweep::testing::small_system());
  // Forward: 100 B at 10 B/s and 4 s of traffic against 10 s, and 11 s in the last block: 4 and 3 s more. Backward:
  // 10 + 6 s fit into 20.
  BOOST_TEST(t.forward_offload == 4.0 * (3.0 * 4.0 + 3.0));
  BOOST_TEST(t.backward_offload == 0.0);
}

BOOST_AUTO_TEST_CASE(memory_adds_up_by_tier) {
  Execution x = two_stages();
  const StageShape shape = stage_shape(model, x);
  const MemoryUse inside = memory_use(round_block(), round_optimizer, shape, x);
  BOOST_TEST(inside.whole.weights == 400.0);
  BOOST_TEST(inside.whole.activations == 50.0 + 40.0 * 7.0);   // 4 blocks of 2 micro batches, but the one at work
  BOOST_TEST(inside.whole.weight_gradients == 200.0 + 300.0);  // one block unsharded
  BOOST_TEST(inside.whole.optimizer == 2400.0);
  BOOST_TEST(inside.tier_1 == 400.0 + 330.0 + 500.0 + 2400.0 + 30.0);
  BOOST_TEST(inside.tier_2 == 0.0);

  x.optimizer_offload = true;
  const MemoryUse outside = memory_use(round_block(), round_optimizer, shape, x);
  BOOST_TEST(outside.tier_1 == 400.0 + 330.0 + 300.0 + 1200.0 + 30.0);  // what two blocks need stays
  BOOST_TEST(outside.tier_2 == 400.0 + 2400.0);

  System system = dfsweep::testing::small_system();
  system.memory.capacity = 3659.0;
  BOOST_TEST((memory_rejection(inside, system) == Rejection::memory_tier_1));
  system.memory.capacity = 3660.0;  // exactly enough
  BOOST_TEST((memory_rejection(inside, system) == Rejection::none));
  system.offload.capacity = 2799.0;
  BOOST_TEST((memory_rejection(outside, system) == Rejection::memory_tier_2));
}

BOOST_AUTO_TEST_SUITE_END()
