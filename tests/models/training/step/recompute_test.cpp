/// Recomputation: its memory against its FLOP and its time, for whole layers, latent attention and half of the layers.
#include <boost/test/unit_test.hpp>

#include "models/training/memory/footprint.hpp"
#include "models/training/step/estimate.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(recompute_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

BOOST_AUTO_TEST_CASE(recomputation_trades_its_memory_for_its_flop) {
  TrainingPoint point = testing::training_point();
  point.software = testing::ideal_software();
  point.accelerator.memory_bandwidth = Bandwidth{1e30};
  point.execution.parallel.tensor = 1;
  const StepEstimate kept = estimate_step(point);
  point.execution.recompute = Recompute::full;
  const StepEstimate again = estimate_step(point);
  const double layer_flop = 2 * (8 * (attention_parameters(point.architecture) + ffn_parameters(point.architecture))) +
                            2.0 * 8 * 2048 * 32 * 256;  // products and scores of a token
  const double tokens = 32.0 * 4096;
  BOOST_TEST(again.executed_flop.value() - kept.executed_flop.value() == tokens * layer_flop, tt::tolerance(1e-9));
  BOOST_TEST(again.time.recompute.value() == tokens / 8 * layer_flop / 1e15, tt::tolerance(1e-9));
  BOOST_TEST((again.time.total() - kept.time.total()).value() == again.time.recompute.value(), tt::tolerance(1e-9));
  const auto layer = [&](Recompute r) {
    return layer_activations(point.architecture, point.execution, r, point.software).value();
  };
  // all layers keep their inputs only, and one is whole while its backward pass runs
  BOOST_TEST((kept.memory.device.activations - again.memory.device.activations).value() ==
                 7 * (layer(Recompute::none) - layer(Recompute::full)),
             tt::tolerance(1e-9));
  BOOST_TEST(again.model_flop_causal.value() == kept.model_flop_causal.value());
}

BOOST_AUTO_TEST_CASE(latent_attention_is_widened_again_from_its_vectors) {
  TrainingPoint point = testing::training_point();
  point.software = testing::ideal_software();
  point.accelerator.memory_bandwidth = Bandwidth{1e30};
  point.execution.parallel.tensor = 1;
  point.architecture.latent = {
      .query_rank = 1024, .key_value_rank = 512, .plain_dim = 128, .rotary_dim = 64, .value_dim = 128};
  const StepEstimate kept = estimate_step(point);
  point.execution.recompute = Recompute::latent;
  const StepEstimate again = estimate_step(point);
  const double up_flop = 8 * 2.0 * (1024 * 32 * (128 + 64) + 512 * 32 * (128 + 128));  // of a token, 8 layers
  const double tokens = 32.0 * 4096;
  BOOST_TEST(again.executed_flop.value() - kept.executed_flop.value() == tokens * up_flop, tt::tolerance(1e-9));
  BOOST_TEST(again.time.recompute.value() == tokens / 8 * up_flop / 1e15, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(queries_that_are_projected_at_once_are_projected_again) {
  TrainingPoint point = testing::training_point();
  point.software = testing::ideal_software();
  point.execution.parallel.tensor = 1;
  point.architecture.latent = {.key_value_rank = 512, .plain_dim = 128, .rotary_dim = 64, .value_dim = 128};
  const StepEstimate kept = estimate_step(point);
  point.execution.recompute = Recompute::latent;
  const StepEstimate again = estimate_step(point);
  const double hidden = point.architecture.hidden;
  const double up_flop = 8 * 2.0 * (hidden * 32 * (128 + 64) + 512 * 32 * (128 + 128));  // of a token, 8 layers
  BOOST_TEST(again.executed_flop.value() - kept.executed_flop.value() == 32.0 * 4096 * up_flop, tt::tolerance(1e-9));
  BOOST_TEST(again.memory.device.activations.value() < kept.memory.device.activations.value());
}

BOOST_AUTO_TEST_CASE(half_of_the_layers_repeat_half_as_much) {
  TrainingPoint point = testing::training_point();
  point.execution.recompute = Recompute::full;
  point.software.host = {Seconds{}, Seconds{}, Seconds{}, Seconds{}, 64};
  const double all = estimate_step(point).time.recompute.value();
  point.execution.recomputed_layers = 0.5;
  BOOST_TEST(estimate_step(point).time.recompute.value() == all / 2, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
