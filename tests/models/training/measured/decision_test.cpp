/// Decision: what is open becomes the least that fits.
#include "models/training/measured/decision.hpp"

#include <boost/test/unit_test.hpp>

#include "models/training/memory/footprint.hpp"
#include "models/training/step/estimate.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(decision_test)

using namespace dfsweep;
using namespace dfsweep::training;

BOOST_AUTO_TEST_CASE(results_are_kept_in_8_bits_where_nothing_else_fits) {
  TrainingPoint point = testing::training_point();
  point.execution.batch.micro = 4;
  const Undecided open{.activations_8bit = true};
  BOOST_TEST(!decide(point, open).execution.activations_8bit);
  point.accelerator.memory_capacity = 0.999 * estimate_step(point).memory.device.total();
  BOOST_TEST(decide(point, open).execution.activations_8bit);
}

BOOST_AUTO_TEST_CASE(what_is_open_is_the_least_that_fits) {
  TrainingPoint point = testing::training_point();
  const Undecided open{
      .micro_batch = false, .recompute = true, .recomputed_layers = false, .sharding = false, .degrees = false};
  BOOST_TEST((decide(point, open).execution.recompute == Recompute::none));
  const auto needs = [&](Recompute r) {
    TrainingPoint tried = point;
    tried.execution.recompute = r;
    return estimate_step(tried).memory.device.total();
  };
  point.accelerator.memory_capacity = needs(Recompute::selective);
  BOOST_TEST((decide(point, open).execution.recompute == Recompute::selective));
  point.execution.recompute = Recompute::elementwise;  // read as the least that the stack recomputes
  BOOST_TEST((decide(point, open).execution.recompute == Recompute::selective));
  point.accelerator.memory_capacity = needs(Recompute::elementwise);
  BOOST_TEST((decide(point, open).execution.recompute == Recompute::elementwise));
  point.accelerator.memory_capacity = needs(Recompute::full);
  BOOST_TEST((decide(point, open).execution.recompute == Recompute::full));
}

/// Every capacity gets the least eighth of the layers that fits, so that time falls with capacity in small steps.
BOOST_AUTO_TEST_CASE(stacks_that_recompute_some_layers_recompute_the_fewest_that_fit) {
  TrainingPoint point = testing::training_point();
  const Undecided open{
      .micro_batch = false, .recompute = true, .recomputed_layers = true, .sharding = false, .degrees = false};
  const auto needs = [&](Recompute recompute, double layers) {
    TrainingPoint tried = point;
    tried.execution.recompute = recompute;
    tried.execution.recomputed_layers = layers;
    return estimate_step(tried).memory.device.total();
  };
  for (int eighths = 1; eighths <= 8; ++eighths) {
    const double layers = eighths / 8.0;
    point.accelerator.memory_capacity = needs(Recompute::full, layers);
    if (needs(Recompute::selective, 1) <= point.accelerator.memory_capacity) continue;
    const Execution e = decide(point, open).execution;
    BOOST_TEST((e.recompute == Recompute::full));
    BOOST_TEST(e.recomputed_layers == layers);
  }
  point.accelerator.memory_capacity = needs(Recompute::none, 1);
  BOOST_TEST((decide(point, open).execution.recompute == Recompute::none));
}

BOOST_AUTO_TEST_CASE(a_group_shares_sequences_of_adapters_or_is_a_pipeline) {
  TrainingPoint point = testing::training_point();
  const Undecided open{.degrees = true, .group = 4};
  Parallelism p = decide(point, open).execution.parallel;
  BOOST_TEST(p.pipeline == 4);
  BOOST_TEST(p.context == 1);
  point.execution.task = Task::low_rank;
  p = decide(point, open).execution.parallel;
  BOOST_TEST(p.pipeline == 1);
  BOOST_TEST(p.context == 4);
}

/// A device of a group holds a whole sequence before sequences are shared, as in scripts of MLPerf for devices of 80
/// GB.
BOOST_AUTO_TEST_CASE(tensors_are_split_until_a_device_holds_a_sequence) {
  TrainingPoint point = testing::training_point();
  point.execution.task = Task::low_rank;
  const Undecided open{.degrees = true, .group = 8};
  TrainingPoint whole = point;
  whole.execution.batch.micro = 1;
  whole.execution.activations_8bit = true;
  whole.execution.parallel = {};
  whole.execution.parallel.tensor = 2;
  whole.execution.parallel.data = device_count(point.execution.parallel) / 2;
  const MemoryTiers needed = memory_footprint(whole.architecture, whole.execution, whole.software);
  point.accelerator.memory_capacity = needed_memory(needed.device, point.software.kept);
  const Parallelism p = decide(point, open).execution.parallel;
  BOOST_TEST(p.tensor == 2);
  BOOST_TEST(p.context == 4);
}

BOOST_AUTO_TEST_CASE(the_largest_micro_batch_that_fits_is_taken) {
  TrainingPoint point = testing::training_point();
  const Undecided open{
      .micro_batch = true, .recompute = false, .recomputed_layers = false, .sharding = false, .degrees = false};
  BOOST_TEST(decide(point, open).execution.batch.micro == 4);  // 32 sequences over 8 replicas
  TrainingPoint two = point;
  two.execution.batch.micro = 2;
  point.accelerator.memory_capacity = estimate_step(two).memory.device.total();
  BOOST_TEST(decide(point, open).execution.batch.micro == 2);
}

BOOST_AUTO_TEST_CASE(open_degrees_leave_no_more_replicas_than_sequences) {
  TrainingPoint point = testing::training_point();
  point.execution.batch.global = 4;
  const Undecided open{
      .micro_batch = false, .recompute = false, .recomputed_layers = false, .sharding = false, .degrees = true};
  const Parallelism p = decide(point, open).execution.parallel;
  BOOST_TEST(p.tensor == 4);
  BOOST_TEST(p.data == 4);
}

BOOST_AUTO_TEST_SUITE_END()
