/// Rows of experts that a capacity factor adds or drops.
#include <boost/test/unit_test.hpp>

#include "models/training/step/estimate.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(expert_rows_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

BOOST_AUTO_TEST_CASE(padded_experts_cost_their_rows) {
  TrainingPoint point = testing::training_point();
  point.architecture = testing::small_expert_decoder();
  point.software = testing::ideal_software();
  point.accelerator.memory_bandwidth = Bandwidth{1e30};
  point.execution.parallel.tensor = 1;
  point.execution.parallel.data = 1;
  const StepEstimate balanced = estimate_step(point);
  point.execution.capacity_factor = 1.25;
  const StepEstimate padded = estimate_step(point);
  // six layers, two experts of three 4096 x 4096 matrices for each token; a quarter more rows, three products each
  const double more = 32.0 * 4096 * 3 * 2 * 6 * 2 * (3 * 4096.0 * 4096) * 0.25;
  BOOST_TEST(padded.executed_flop.value() - balanced.executed_flop.value() == more, tt::tolerance(1e-9));
  BOOST_TEST((padded.time.total() - balanced.time.total()).value() == more / 1e15, tt::tolerance(1e-9));
  BOOST_TEST(padded.model_flop_causal.value() == balanced.model_flop_causal.value());  // padding is no useful work
  BOOST_TEST(padded.memory.device.activations.value() > balanced.memory.device.activations.value());
}

// Half of the rows of experts are dropped: they are neither computed nor useful, and frozen weights save less.
BOOST_AUTO_TEST_CASE(dropped_rows_are_no_useful_work) {
  TrainingPoint point = testing::training_point();
  point.architecture = testing::small_expert_decoder();
  point.execution.parallel.tensor = 1;
  point.execution.parallel.data = 1;
  // six layers, two experts of three 4096 x 4096 matrices for each token
  const double rows = 32.0 * 4096 * 2 * 6 * 2 * (3 * 4096.0 * 4096);
  for (const Task task : {Task::full, Task::low_rank}) {
    point.execution.task = task;
    const double products = task == Task::full ? 3 : 2;  // low rank: no gradients of weights
    point.execution.capacity_factor = 1;
    const StepEstimate balanced = estimate_step(point);
    point.execution.capacity_factor = 0.5;
    const StepEstimate dropping = estimate_step(point);
    for (const auto flop :
         {&StepEstimate::model_flop_causal, &StepEstimate::model_flop_full, &StepEstimate::executed_flop})
      BOOST_TEST((balanced.*flop - dropping.*flop).value() == products * rows / 2, tt::tolerance(1e-9));
    BOOST_TEST(dropping.model_flops_utilization_causal <= dropping.hardware_flops_utilization);
  }
}

BOOST_AUTO_TEST_SUITE_END()
