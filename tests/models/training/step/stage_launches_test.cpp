/// Launches of the kernels of a layer, with and without adapters and a recorded graph.
#include <boost/test/unit_test.hpp>

#include "models/training/step/estimate.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(stage_launches_test)

using namespace dfsweep;
using namespace dfsweep::training;

BOOST_AUTO_TEST_CASE(launches_wait_unless_a_graph_records_them) {
  TrainingPoint point = testing::training_point();
  point.software = testing::ideal_software();
  point.software.host.layer = Seconds{1.0};
  point.software.host.adapter_layer = Seconds{2.0};
  const double full = estimate_step(point).time.host.value();
  BOOST_TEST(full > 0);
  point.execution.task = Task::low_rank;
  BOOST_TEST(estimate_step(point).time.host.value() > 1.9 * full);  // what the device computes is little beside it
  point.execution.step_graph = true;
  BOOST_TEST(estimate_step(point).time.host.value() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
