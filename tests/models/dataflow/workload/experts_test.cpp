/// Layers of experts as graphs: FLOP, parameters and sharding by hand, and the limits where they are dense layers.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/dataflow/parallelism/sharding.hpp"
#include "models/dataflow/workload/workload.hpp"
#include "tests/support/dataflow_point.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(experts_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::dataflow;
using namespace dfsweep::testing;

namespace {

Entry mistral_7b() {
  Entry entry = transformer_entry(4096, 32, 32, 4096, 64);
  for (const auto& [field, value] :
       {std::pair{"key_value_heads", 8.0}, {"ffn_hidden", 14336.0}, {"gated_ffn", 1.0}, {"vocabulary", 32000.0}})
    entry.numbers[field] = value;
  return entry;
}

Entry with_experts(Entry entry, double experts, double per_token, double width, double shared, double dense_layers) {
  for (const auto& [field, value] : {std::pair{"experts", experts},
                                     {"experts_per_token", per_token},
                                     {"expert_ffn_hidden", width},
                                     {"shared_ffn_hidden", shared},
                                     {"dense_layers", dense_layers}})
    entry.numbers[field] = value;
  return entry;
}

Entry mixtral_8x7b() {
  return with_experts(mistral_7b(), 8, 2, 14336, 0, 0);
}

Entry llama4_maverick() {
  Entry entry = with_experts(transformer_entry(5120, 40, 48, 8192, 64), 128, 1, 8192, 8192, 24);
  for (const auto& [field, value] :
       {std::pair{"key_value_heads", 8.0}, {"head_dim", 128.0}, {"ffn_hidden", 16384.0}, {"gated_ffn", 1.0}})
    entry.numbers[field] = value;
  return entry;
}

Workload workload_of(const Entry& entry, Phase phase) {
  const DecodedWorkload decoded = decode_workload(entry, {.phase = phase});
  BOOST_REQUIRE(decoded.problems.empty());
  return decoded.workload;
}

double forward_weights(const Graph& graph) {
  double words = 0.0;
  for (const Kernel& kernel : graph.kernels)
    if (kernel.pass == Pass::forward) words += kernel.weight_words;
  return words;
}

double flop_of_kernel(const Graph& graph, const std::string& name) {
  for (const Kernel& kernel : graph.kernels)
    if (kernel.name == name) return flop_of(kernel);
  return absent;
}

struct Expected {
  const char* why;
  Entry model;
  Phase phase;
  double flop;     ///< of one layer and sequence
  double weights;  ///< of one layer
};

// h = 4096, s = 4096, f = 14336, 32 heads of 128, 8 of keys and values. Dense, forward:
//   Q and PROJ 2 x 2 s h h = 274877906944, K and V 2 x 2 s h 1024 = 68719476736, scores and values
//   2 x 2 x 32 x 128 s s = 274877906944, three products 6 s h f = 1443109011456: 2061584302080 FLOP of products;
//   element-wise: 9 h s of the norms, additions and dropouts without the softmax: Add_Prev_Layer, LayerNorm_1,
//   DropOut_2, Add_1, LayerNorm_2, DropOut_3, Add_2: 7 h s = 117440512; SOFTMAX and DropOut_1: 2 x 32 s s = 1073741824;
//   GeLU and FFN_Multiply: 2 f s = 117440512. Sum 2062892924928.
// Two of eight experts: the products twice 1443109011456, GeLU and FFN_Multiply twice; Router 2 s h 8 = 268435456,
//   Dispatch 2 h s = 33554432, Combine 2 x 2 h s = 67108864: 2062892924928 + 1443109011456 + 117440512 + 369098752.
// Weights: 2 h h + 2 h 1024 = 41943040, and 3 h f = 176160768 once, or eight times with a router of 8 h = 32768.
const Expected by_hand[] = {
    {"mistral-7b, forward", mistral_7b(), Phase::prefill, 2062892924928, 218103808},
    {"mixtral-8x7b, forward", mixtral_8x7b(), Phase::prefill, 3506488475648, 1451261952},
};

}  // namespace

BOOST_DATA_TEST_CASE(flop_and_parameters_by_hand, bdata::make(by_hand), c) {
  const Workload w = workload_of(c.model, c.phase);
  BOOST_TEST(w.flop == c.flop);
  BOOST_TEST(forward_weights(w.graph) == c.weights);
}

/// Each product of the forward pass has two of its size backward; the router, sums and copies have theirs.
BOOST_AUTO_TEST_CASE(the_backward_products_of_experts_are_twice_the_forward_ones) {
  const Graph graph = workload_of(llama4_maverick(), Phase::train).graph;
  for (const char* name : {"FFN0", "FFN1", "FFN_Gate", "Router", "Shared_FFN0", "Shared_FFN1"}) {
    const double forward = flop_of_kernel(graph, name);
    BOOST_TEST(flop_of_kernel(graph, std::string(name) + "_bwd") == forward);
    BOOST_TEST(flop_of_kernel(graph, std::string(name) + "_bwd_weight_update") == forward);
  }
  BOOST_TEST(flop_of_kernel(graph, "Dispatch_bwd") == flop_of_kernel(graph, "Combine"));
  BOOST_TEST(flop_of_kernel(graph, "Gates_bwd") == flop_of_kernel(graph, "Combine"));
  BOOST_TEST(graph.kernels.size() <= 64u);  // mapping = best takes no more
}

/// 24 layers with 128 experts and a shared one of 3 x 5120 x 8192, a router of 5120 x 128; 24 dense layers of 3 x 5120
/// x 16384; attention 5120 x (40 + 16 + 40) x 128 in all: 389.6 + 6.0 + 3.0 billion numbers. Without the embeddings.
BOOST_AUTO_TEST_CASE(all_experts_are_stored) {
  const Workload w = workload_of(llama4_maverick(), Phase::prefill);
  BOOST_REQUIRE(w.dense);
  BOOST_TEST(w.dense_share == 0.5);
  const double attention = 5120.0 * (40 + 16 + 40) * 128;
  const double one = 3.0 * 5120 * 8192;
  BOOST_TEST(forward_weights(w.graph) == attention + 129 * one + 5120 * 128);
  BOOST_TEST(forward_weights(w.dense->graph) == attention + 3.0 * 5120 * 16384);
  const double stored = 24 * (forward_weights(w.graph) + forward_weights(w.dense->graph));
  BOOST_TEST(stored == 398.64e9, tt::tolerance(1e-3));
}

BOOST_DATA_TEST_CASE(one_expert_is_the_dense_model, bdata::make({false, true}), is_training) {
  const Phase phase = is_training ? Phase::train : Phase::prefill;
  const Workload dense = workload_of(mistral_7b(), phase);
  for (const double shared : {0.0, 4336.0}) {
    const Workload one = workload_of(with_experts(mistral_7b(), 1, 1, 14336 - shared, shared, 0), phase);
    BOOST_TEST(one.flop == dense.flop);
    BOOST_REQUIRE(one.graph.kernels.size() == dense.graph.kernels.size());
    for (std::size_t k = 0; k < dense.graph.kernels.size(); ++k)
      BOOST_TEST(flop_of(one.graph.kernels[k]) == flop_of(dense.graph.kernels[k]));
  }
}

BOOST_AUTO_TEST_CASE(layers_that_are_all_dense_have_no_experts) {
  const Workload w = workload_of(with_experts(mistral_7b(), 8, 2, 14336, 0, 32), Phase::train);
  BOOST_TEST(!w.dense);
  BOOST_TEST(w.flop == workload_of(mistral_7b(), Phase::train).flop);
}

/// 7 tokens, 2 of 5 experts: 14 visits in 5 x 3 places; the place that no token takes is no work.
BOOST_AUTO_TEST_CASE(empty_places_are_not_useful_work) {
  Entry entry = with_experts(transformer_entry(8, 2, 2, 7, 4), 5, 2, 16, 0, 0);
  const Workload w = workload_of(entry, Phase::prefill);
  double products = 0.0;
  for (const Kernel& kernel : w.graph.kernels)
    if (kernel.routing == Routing::experts) {
      BOOST_TEST(kernel.outer == 5.0);
      BOOST_TEST(kernel.n == 3.0);
      products += flop_of(kernel);
    }
  BOOST_TEST(w.flop == flop_of(w.graph) - products / 15.0, tt::tolerance(1e-14));
}

/// Eight experts on four chips: two experts each; every chip picks the tokens of its experts from the whole tensor and
/// sums what they made, so that the layer has one all-reduce of h s words as a dense one has.
BOOST_AUTO_TEST_CASE(experts_are_sharded_by_experts_where_that_is_cheapest) {
  const Workload w = workload_of(mixtral_8x7b(), Phase::prefill);
  const std::vector<ShardDimension> found = *best_sharding(w.graph, 4, 2, {}, SinkSharding::sharded);
  for (std::size_t k = 0; k < found.size(); ++k) {
    const Kernel& kernel = w.graph.kernels[k];
    if (kernel.routing == Routing::experts) BOOST_TEST((found[k] == ShardDimension::outer));
    if (kernel.routing == Routing::gather) BOOST_TEST((found[k] == ShardDimension::k));
    if (kernel.name == "FFN0") BOOST_TEST(shard_of(kernel, found[k], 4).weight_words == kernel.weight_words / 4);
  }
  const Workload dense = workload_of(mistral_7b(), Phase::prefill);
  const auto dense_found = *best_sharding(dense.graph, 4, 2, {}, SinkSharding::sharded);
  BOOST_TEST(sharding_price(w.graph, found, 4, 2, {}) == sharding_price(dense.graph, dense_found, 4, 2, {}));
}

/// From rows to experts is the all-to-all of expert parallelism, from experts to rows its way back.
BOOST_AUTO_TEST_CASE(tokens_reach_sharded_experts_by_all_to_all) {
  const Graph graph = workload_of(mixtral_8x7b(), Phase::prefill).graph;
  const auto kernel = [&graph](const std::string& name) {
    return *std::find_if(graph.kernels.begin(), graph.kernels.end(), [&](const Kernel& k) { return k.name == name; });
  };
  const auto conversion = [&](const std::string& from, ShardDimension a, const std::string& to, ShardDimension b) {
    return conversion_between(produced_layout(kernel(from), a), wanted_layout(kernel(from), kernel(to), b));
  };
  using enum ShardDimension;
  BOOST_TEST((conversion("Dispatch", m, "FFN0", outer) == Conversion::all_to_all));
  BOOST_TEST((conversion("Dispatch", outer, "FFN0", outer) == Conversion::none));
  BOOST_TEST((conversion("FFN1", outer, "Combine", m) == Conversion::all_to_all));
  BOOST_TEST((conversion("FFN1", outer, "Combine", k) == Conversion::none));
  BOOST_TEST((conversion("FFN1", outer, "Combine", none) == Conversion::all_gather));
  BOOST_TEST((conversion("LayerNorm_2", m, "Dispatch", outer) == Conversion::all_gather));
  BOOST_TEST((conversion("Dispatch", outer, "FFN0", m) == Conversion::all_gather));
  BOOST_TEST((conversion("Router", m, "Dispatch", m) == Conversion::all_gather));
}

struct Unsupported {
  const char* why;
  const char* field;
  double value;
  LayerDetail detail;
  bool is_supported;
};
const Unsupported unsupported[] = {
    {"a window shorter than the sequence", "window", 4095, LayerDetail::as_described, false},
    {"a window of the sequence", "window", 4096, LayerDetail::as_described, true},
    {"experts under a dfmodel convention", "window", 0, LayerDetail::plain, false},
    {"experts under physical", "window", 0, LayerDetail::as_described, true},
};

BOOST_DATA_TEST_CASE(models_that_the_graphs_do_not_describe, bdata::make(unsupported), c) {
  Entry entry = mixtral_8x7b();
  entry.numbers[c.field] = c.value;
  const DecodedWorkload decoded = decode_workload(entry, {.layer_detail = c.detail});
  BOOST_TEST(decoded.problems.empty());
  BOOST_TEST(decoded.workload.unsupported.empty() == c.is_supported);
}

BOOST_AUTO_TEST_SUITE_END()
