/// Footprint: states and activations against values computed by hand, and what sharding and recomputation save.
#include "models/training/memory/footprint.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(footprint_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

constexpr auto exact = 1e-12;

/// Parameters of one device of the shared point: eight layers and both ends, split over two tensor ranks.
double local(const Architecture& a) {
  return (8 * (attention_parameters(a) + ffn_parameters(a)) + embedding_parameters(a)) / 2;
}

struct StateCase {
  const char* why;
  Sharding sharding;
  double weights;  ///< bytes per local parameter: 2 of the weight, 4 of the gradient, 12 of the optimizer
  double gradients;
  double optimizer;
};

const StateCase state_cases[] = {
    {"every replica has all", Sharding::none, 2, 4, 12},
    {"optimizer over 8 replicas", Sharding::optimizer, 2, 4, 1.5},
    {"gradients too", Sharding::gradients, 2, 0.5, 1.5},
    {"parameters too", Sharding::parameters, 0.25, 0.5, 1.5},
};

}  // namespace

BOOST_DATA_TEST_CASE(states_are_divided_by_the_replicas, bdata::make(state_cases)) {
  TrainingPoint point = testing::training_point();
  point.execution.sharding = sample.sharding;
  const Footprint f = memory_footprint(point.architecture, point.execution, point.software).device;
  const double n = local(point.architecture);
  BOOST_TEST(f.weights.value() == sample.weights * n, tt::tolerance(exact));
  BOOST_TEST(f.gradients.value() == sample.gradients * n, tt::tolerance(exact));
  BOOST_TEST(f.optimizer.value() == sample.optimizer * n, tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(a_forward_pass_holds_weights_one_layer_and_logits) {
  TrainingPoint point = testing::training_point();
  point.execution.phase = Phase::forward;
  point.execution.parallel.pipeline = 1;
  point.execution.offloaded_activations = 1;
  const MemoryTiers tiers = memory_footprint(point.architecture, point.execution, point.software);
  const Footprint& f = tiers.device;
  BOOST_TEST(f.weights.value() == 2 * local(point.architecture), tt::tolerance(exact));
  // a layer of 4096 tokens, 2 bytes: 4 residuals over two ranks, (32 + 16 + 32) heads of 128 and three of 14336, halved
  BOOST_TEST(f.activations.value() == 2.0 * 4096 * (4 * 4096 + 80 * 128 + 3 * 14336) / 2, tt::tolerance(exact));
  BOOST_TEST(f.logits.value() == point.software.kept.logit * 4096 * 32000 / 2, tt::tolerance(exact));
  BOOST_TEST(f.total().value() == (f.weights + f.activations + f.logits + f.reserved).value());
  BOOST_TEST(tiers.host.total().value() == 0);
}

BOOST_AUTO_TEST_CASE(experts_are_sharded_over_their_own_replicas) {
  TrainingPoint point = testing::training_point();
  point.architecture = testing::small_expert_decoder();
  point.execution.parallel.expert = 4;  // 16 ranks: 4 replicas of every expert
  const LocalParameters n = local_parameters(point.architecture, point.execution.parallel);
  BOOST_TEST(n.experts == 6 * 2 * expert_parameters(point.architecture));  // six layers, two of eight experts
  const Footprint f = memory_footprint(point.architecture, point.execution, point.software).device;
  BOOST_TEST(f.optimizer.value() == 12 * ((n.dense + n.vocabulary) / 8 + n.experts / 4), tt::tolerance(exact));

  // Two ranks share an expert: half of the weights on each and half of the replicas, so as much of the states.
  point.execution.parallel.expert_tensor = 2;
  const Footprint shared = memory_footprint(point.architecture, point.execution, point.software).device;
  BOOST_TEST(local_parameters(point.architecture, point.execution.parallel).experts == n.experts / 2);
  BOOST_TEST(shared.weights.value() == (f.weights - Bytes{2 * n.experts / 2}).value(), tt::tolerance(exact));
  BOOST_TEST(shared.optimizer.value() == f.optimizer.value(), tt::tolerance(exact));
  // and rows are gathered before an expert and after it: of a mean layer two experts' rows of h twice more, 2 bytes
  // each
  const auto kept = [&](double ranks) {
    point.execution.parallel.expert_tensor = ranks;
    return layer_activations(point.architecture, point.execution, Recompute::none, point.software).value();
  };
  const double share = expert_layers(point.architecture) / all_layers(point.architecture);
  const double tokens = tokens_per_device(point.execution) / point.execution.parallel.tensor;
  BOOST_TEST(kept(2) - kept(1) == 2 * tokens * share * 2 * 2 * point.architecture.hidden, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(frozen_weights_have_no_gradients) {
  TrainingPoint point = testing::training_point();
  point.execution.task = Task::low_rank;
  const Footprint f = memory_footprint(point.architecture, point.execution, point.software).device;
  BOOST_TEST((f.gradients + f.optimizer).value() == 0);
  BOOST_TEST(f.weights.value() > 0);
}

namespace {

struct ActivationCase {
  const char* why;
  Recompute recompute;
  AttentionKernel kernel;
  double per_token;  ///< bytes per token of a layer; the shared point has tensor 2 and sequence parallelism
};

// h 4096, (32 + 2*8) heads of 128 = 6144, 32*128 = 4096, 3 * 14336 = 43008: all halved by the tensor group
constexpr double flash_bytes = 2 * (4 * 4096 + 6144 + 4096 + 43008) / 2.0;
constexpr double score_bytes = 5.0 * 32 * 4096 / 2;
constexpr double product_bytes = 2 * (2 * 4096 + 6144 + 4096 + 2 * 14336) / 2.0;
const ActivationCase activation_cases[] = {
    {"all that the backward pass reads", Recompute::none, AttentionKernel::flash, flash_bytes},
    {"scores of every head", Recompute::none, AttentionKernel::materialized, flash_bytes + score_bytes},
    {"scores again", Recompute::attention, AttentionKernel::materialized, flash_bytes},
    {"flash never keeps scores", Recompute::attention, AttentionKernel::flash, flash_bytes},
    {"results of matrix products", Recompute::elementwise, AttentionKernel::flash, product_bytes},
    {"the input and half of the other products", Recompute::selective, AttentionKernel::flash,
     4096 + (product_bytes - 4096) / 2},
    {"the input of the layer", Recompute::full, AttentionKernel::flash, 4096},
    {"inputs of products at 16 bits, without latent vectors", Recompute::latent, AttentionKernel::flash, product_bytes},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_layer_keeps_what_is_not_computed_again, bdata::make(activation_cases)) {
  TrainingPoint point = testing::training_point();
  point.execution.attention = sample.kernel;
  const Bytes kept = layer_activations(point.architecture, point.execution, sample.recompute, point.software);
  BOOST_TEST(kept.value() == 4096 * sample.per_token, tt::tolerance(exact));
}

namespace {

struct NarrowCase {
  const char* why;
  double operand;  ///< bytes of what enters products
  bool activations_8bit;
  Task task;
  double per_token;
};

// Of the shared point, halved by the tensor group: 4096 of the hidden size, 10240 of heads (queries, keys, values,
// result), 4096 of attention's result, 28672 of the first product, 14336 of the second.
const NarrowCase narrow_cases[] = {
    {"stacks that keep 16 bits", 2, false, Task::full, (8 * 4096 + 2 * 10240 + 2 * 43008) / 2.0},
    {"norms, projection and activation in 8 bits", 1, false, Task::full,
     (6 * 4096 + 2 * 10240 + 4096 + 2 * 28672 + 14336) / 2.0},
    {"the first product, too", 1, true, Task::full, (6 * 4096 + 2 * 10240 + 4096 + 28672 + 14336) / 2.0},
    {"frozen products keep no input, adapters a mask", 1, false, Task::low_rank,
     (5 * 4096 + 2 * 10240 + 4096 + 4096 + 2 * 28672) / 2.0},
};

}  // namespace

BOOST_DATA_TEST_CASE(narrow_products_keep_narrow_inputs, bdata::make(narrow_cases)) {
  TrainingPoint point = testing::training_point();
  point.execution.format = MatrixFormat::bits8;
  point.execution.activations_8bit = sample.activations_8bit;
  point.execution.task = sample.task;
  point.software.kept.operand = sample.operand;
  const Bytes kept = layer_activations(point.architecture, point.execution, Recompute::none, point.software);
  BOOST_TEST(kept.value() == 4096 * sample.per_token, tt::tolerance(exact));
  point.execution.format = MatrixFormat::bits16;
  if (sample.task == Task::full && !sample.activations_8bit) {
    const Bytes wide = layer_activations(point.architecture, point.execution, Recompute::none, point.software);
    BOOST_TEST(wide.value() == 4096 * narrow_cases[0].per_token, tt::tolerance(exact));
  }
}

// 126 layers and both ends on 8 stages of 8 chunks are 2 layers a chunk. The first stage has 8 + 7/8 micro-batches of
// 16 layers in flight, 142 layers, and in its first chunk 15 layers less.
BOOST_AUTO_TEST_CASE(lighter_ends_hold_less_in_the_first_chunk) {
  TrainingPoint point = testing::training_point();
  Execution& e = point.execution;
  point.architecture.layers = 126;
  e.parallel.pipeline = e.parallel.chunks_per_stage = 8;
  e.batch.global = 64 * e.parallel.data;
  BOOST_TEST(first_stage_layers(point.architecture, e) == 142);
  e.stage_split = StageSplit::balanced;
  BOOST_TEST(first_stage_layers(point.architecture, e) == 127);
  const double usual = memory_footprint(point.architecture, e, point.software).device.activations.value();
  point.software.kept.interleaved_factor = 0.5;
  point.software.kept.activation_factor = 7;  // of pipelines that are not interleaved
  BOOST_TEST(memory_footprint(point.architecture, e, point.software).device.activations.value() == usual / 2,
             tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(states_that_are_not_given_are_those_of_the_stack) {
  Execution e;
  KeptBytes kept;
  kept.gradient = 2;
  kept.frozen_weight = 1;
  BOOST_TEST(usual_state_bytes(e, kept).gradient == 2);
  BOOST_TEST(usual_state_bytes(e, kept).weight == 2);
  e.task = Task::low_rank;
  BOOST_TEST(usual_state_bytes(e, kept).weight == 2);  // 16-bit products read 16-bit weights
  e.format = MatrixFormat::bits8;
  BOOST_TEST(usual_state_bytes(e, kept).weight == 1);
  e.sharding = Sharding::parameters;
  BOOST_TEST(usual_state_bytes(e, kept).weight == 4);
}

BOOST_AUTO_TEST_CASE(fragments_need_a_share_of_all) {
  Footprint device;
  device.weights = Bytes{60e9};
  device.reserved = Bytes{40e9};
  KeptBytes kept;
  kept.fragments = 0.04;
  BOOST_TEST(needed_memory(device, kept).value() == 104e9, tt::tolerance(exact));
}

// One layer with experts of the width of DeepSeek-V3. At 2 bytes: inputs of two norms, latent vectors of queries and
// of keys and values with the rotary part, and the result of 128 heads. At 1 byte: what enters the shared expert's
// activation function, and of 8 experts their inputs and what enters theirs.
BOOST_AUTO_TEST_CASE(latent_vectors_and_narrow_inputs_are_kept_in_place_of_heads_and_results) {
  TrainingPoint point = testing::training_point();
  Architecture& a = point.architecture;
  a = testing::small_expert_decoder();
  a.layers = 1;
  a.hidden = 7168;
  a.heads = a.key_value_heads = 128;
  a.latent = {.query_rank = 1536, .key_value_rank = 512, .plain_dim = 128, .rotary_dim = 64, .value_dim = 128};
  a.experts = {.count = 256, .per_token = 8, .ffn_hidden = 2048, .shared_ffn_hidden = 2048, .dense_layers = 0};
  point.execution.parallel.tensor = 1;
  point.execution.format = MatrixFormat::bits8;
  const double wide = 2.0 * 7168 + 1536 + 512 + 64 + 128 * 128;
  const double narrow = 2.0 * 2048 + 8 * (7168 + 2 * 2048);
  BOOST_TEST(layer_activations(a, point.execution, Recompute::latent, point.software).value() ==
                 4096 * (2 * wide + 1 * narrow),
             tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(the_fuller_end_of_the_pipeline_counts) {
  TrainingPoint point = testing::training_point();
  Execution& e = point.execution;
  e.parallel.data = 2;
  e.parallel.pipeline = 4;  // two layers a stage; 16 micro-batches, four in flight
  const double layer = 4096 * flash_bytes;
  const double logits = 6.0 * 4096 * 32000 / 2;
  const Footprint first = memory_footprint(point.architecture, e, point.software).device;
  BOOST_TEST(first.activations.value() == 4 * 2 * layer, tt::tolerance(exact));
  BOOST_TEST(first.logits.value() == 0);
  point.architecture.vocabulary = 400000;  // now the output layer is the heavier end
  const Footprint last = memory_footprint(point.architecture, e, point.software).device;
  BOOST_TEST(last.activations.value() == 2 * layer, tt::tolerance(exact));
  BOOST_TEST(last.logits.value() == logits / 32000 * 400000, tt::tolerance(exact));
}

// 8 bits for results of first products, whatever is computed again.
BOOST_AUTO_TEST_CASE(latent_vectors_are_kept_beside_8_bit_activations) {
  TrainingPoint point = testing::training_point();
  const auto latent = [&] {
    return layer_activations(point.architecture, point.execution, Recompute::latent, point.software).value();
  };
  const double wide = latent();
  point.execution.activations_8bit = true;
  // One byte less for both of the gated products of 14336, of 4096 tokens, on two ranks.
  BOOST_TEST(latent() == wide - 4096.0 * 2 * 14336 / 2, tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(two_pipes_hold_two_copies_of_the_weights) {
  TrainingPoint point = testing::training_point();
  Execution& e = point.execution;
  e.parallel.data = 2;
  e.parallel.pipeline = 4;
  const Footprint one = memory_footprint(point.architecture, e, point.software).device;
  e.schedule = Schedule::dual_pipe;
  const Footprint two = memory_footprint(point.architecture, e, point.software).device;
  BOOST_TEST(two.weights.value() == 2 * one.weights.value());
  BOOST_TEST(two.optimizer.value() == one.optimizer.value());
  BOOST_TEST(two.activations.value() == 1.25 * one.activations.value(),
             tt::tolerance(exact));  // five in flight, not four
}

BOOST_AUTO_TEST_CASE(a_stack_keeps_its_factors_of_states_and_activations_on_the_device) {
  TrainingPoint point = testing::training_point();
  point.execution.offloaded_activations = 0.5;
  point.execution.offloaded_optimizer = 0.25;
  const MemoryTiers plain = memory_footprint(point.architecture, point.execution, point.software);
  point.software.kept.state_factor = 1.5;
  point.software.kept.activation_factor = 1.25;
  const MemoryTiers kept = memory_footprint(point.architecture, point.execution, point.software);
  BOOST_TEST(kept.device.weights.value() == 1.5 * plain.device.weights.value());
  BOOST_TEST(kept.device.gradients.value() == 1.5 * plain.device.gradients.value());
  BOOST_TEST(kept.device.optimizer.value() == 1.5 * plain.device.optimizer.value());
  BOOST_TEST(kept.device.activations.value() == 1.25 * plain.device.activations.value());
  BOOST_TEST(kept.device.gathered.value() == plain.device.gathered.value());
  BOOST_TEST(kept.device.reserved.value() == plain.device.reserved.value());
  // What the host keeps is what is moved, and that takes time: no factor.
  BOOST_TEST(kept.host.total().value() == plain.host.total().value());
}

BOOST_AUTO_TEST_CASE(the_fuller_end_of_a_pipeline_is_found_with_the_factor) {
  TrainingPoint point = testing::training_point();
  point.execution.parallel.pipeline = 2;
  point.software.kept.logit = 1000;  // the last stage is the fuller one by far
  BOOST_TEST(memory_footprint(point.architecture, point.execution, point.software).device.logits.value() > 0);
  point.software.kept.activation_factor = 1e6;  // and now the first
  BOOST_TEST(memory_footprint(point.architecture, point.execution, point.software).device.logits.value() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
