/// Offload: what goes to the memory of the host, and what stays on a device.
#include <boost/test/unit_test.hpp>

#include "models/training/memory/footprint.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(offload_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

constexpr auto exact = 1e-12;

}  // namespace

BOOST_AUTO_TEST_CASE(tiers_add_up_to_what_is_kept) {
  TrainingPoint point = testing::training_point();
  Execution& e = point.execution;
  const Bytes without = memory_footprint(point.architecture, e, point.software).device.total();
  e.offloaded_activations = 0.75;
  e.offloaded_optimizer = 1;
  const MemoryTiers tiers = memory_footprint(point.architecture, e, point.software);
  BOOST_TEST((tiers.device.total() + tiers.host.total()).value() == without.value(), tt::tolerance(exact));
  BOOST_TEST(tiers.device.optimizer.value() == 0);
  // The layer at work stays; a quarter of the others does.
  const Bytes at_work = layer_activations(point.architecture, e, Recompute::none, point.software);
  const Bytes others = tiers.device.activations - at_work;
  BOOST_TEST(tiers.host.activations.value() == 3 * others.value(), tt::tolerance(exact));
}

// Whatever is offloaded, a device holds as much as a forward pass: the layer at work, computed again or not.
BOOST_AUTO_TEST_CASE(the_layer_at_work_is_never_offloaded) {
  TrainingPoint point = testing::training_point();
  Execution& e = point.execution;
  e.attention = AttentionKernel::materialized;
  for (const double stages : {1.0, 4.0})
    for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
      e.parallel.pipeline = stages;
      e.recompute = recompute;
      e.offloaded_activations = 1;
      e.phase = Phase::train;
      const MemoryTiers tiers = memory_footprint(point.architecture, e, point.software);
      e.phase = Phase::forward;
      const Footprint forward = memory_footprint(point.architecture, e, point.software).device;
      BOOST_TEST(tiers.device.activations.value() == forward.activations.value(), tt::tolerance(exact));
      BOOST_TEST(tiers.device.logits.value() == forward.logits.value(), tt::tolerance(exact));
      BOOST_TEST(tiers.host.activations.value() > 0);
    }
}

BOOST_AUTO_TEST_SUITE_END()
