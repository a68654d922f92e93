/// Amounts of a point by hand: intensities, the split of network time, weights that are loaded again, stored experts.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/dataflow_point.hpp"

BOOST_AUTO_TEST_SUITE(amounts_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::testing;

namespace {

/// Chips of 1 GB/s of DRAM in a ring with links of 1 GB/s and 1 us, large enough for everything.
DataflowPoint ring_of(double chips, const Entry& model) {
  DataflowPoint point;
  point.set("model", model)
      .set("device", device_entry(4, 4, 2, 1e9, 1e9, 1000, 100))
      .set("memory", memory_entry(1e9, 1e-9, 1e15))
      .set("topology", topology_entry("r"))
      .set("interconnect", interconnect_entry(1e9, 1e-9, 1e-6))
      .set("device_count", chips)
      .set("tensor_parallel", chips)
      .set("sram_accounting", "paper");
  return point;
}

/// A sum of 1000 x 100 numbers, multiplied by weights of m x 1000.
Entry product_after_sum(double m) {
  Entry graph;
  graph.name = "pair";
  graph.texts["kind"] = "graph";
  graph.numbers = {{"global_batch", 4}};
  Entry sum;
  sum.texts = {{"name", "sum"}, {"type", "elementwise"}, {"tiling", "n"}};
  sum.numbers = {{"m", 1000}, {"n", 100}};
  Entry product;
  product.texts = {{"name", "product"}, {"tiling", "n"}};
  product.numbers = {{"m", m}, {"k", 1000}, {"n", 100}, {"weight_words", 1000 * m}};
  Entry edge;
  edge.texts = {{"from", "sum"}, {"to", "product"}};
  graph.parts = {{"kernel", {sum, product}}, {"edge", {edge}}};
  return graph;
}

}  // namespace

/// 10^5 + 2 10^8 FLOP; the tensor of 2 10^5 B is stored and loaded, and 2 10^6 B of weights are loaded: 2.4 10^6 B.
BOOST_AUTO_TEST_CASE(memory_intensity_by_hand) {
  const NamedEstimate one =
      ring_of(1, product_after_sum(1000)).set("sram_capacity", 1e6).set("phase", "prefill").evaluate();
  BOOST_TEST(one.status == "ok");
  BOOST_TEST(one["memory_intensity"] == 2.001e8 / 2.4e6, tt::tolerance(1e-12));
  BOOST_TEST(std::isnan(one["network_intensity"]));  // one chip sends nothing
  BOOST_TEST(one["network_serialization"] == 0.0);
}

/// 10^5 + 2 10^5 FLOP on two chips, which share k of the product: an all-reduce of 100 numbers, 200 B, passes 2 (p-1)/p
/// = 1 times over every link, in 2 (p-1) = 2 steps.
BOOST_AUTO_TEST_CASE(network_intensity_by_hand) {
  const NamedEstimate two = ring_of(2, product_after_sum(1)).set("phase", "prefill").evaluate();
  BOOST_TEST(two.status == "ok");
  BOOST_TEST(two["network_intensity"] == 3e5 / 2 / 200, tt::tolerance(1e-12));
  BOOST_TEST(two["network_serialization"] == 4 * 200 / 1e9, tt::tolerance(1e-12));
  BOOST_TEST(two["network_latency"] == 4 * 2 * 1e-6, tt::tolerance(1e-12));
}

/// Each part of the network time is the whole without the other.
BOOST_AUTO_TEST_CASE(network_time_is_serialization_and_latency) {
  for (const char* phase : {"prefill", "train"}) {
    DataflowPoint point = sixteen_chips();
    point.set("tensor_parallel", 2).set("pipeline_parallel", 2).set("data_parallel", 4);
    point.set("model", transformer_entry(64, 4, 4, 16, 32)).set("phase", phase).set("link_latency", 1e-4);
    const NamedEstimate both = point.evaluate();
    const NamedEstimate bytes = DataflowPoint(point).set("link_latency", 0).evaluate();
    BOOST_TEST(both["network_latency"] > 0.0);
    BOOST_TEST(bytes["network_latency"] == 0.0);
    BOOST_TEST(bytes["network_time"] == both["network_serialization"], tt::tolerance(1e-12));
    const NamedEstimate latencies = point.set("link_bandwidth", 1e18).set("outer_link_bandwidth", 1e18).evaluate();
    BOOST_TEST(latencies["network_time"] == both["network_latency"], tt::tolerance(1e-6));
  }
}

/// h = 64, f = 256, 16 tokens, words of two bytes: inputs and outputs of a product of the attention are (64 + 64) 16 2
/// = 4096 B, of the feed-forward network (64 + 256) 16 2 = 10240 B. A SRAM of 2048 B loads the weights, 8192 B four
/// times and 32768 B twice, two and five times instead of once: 4 x 8192 + 2 x 4 x 32768 = 294912 B more per sequence.
BOOST_AUTO_TEST_CASE(small_sram_loads_weights_again) {
  DataflowPoint point = ring_of(1, transformer_entry(64, 4, 1, 16, 8));
  point.set("phase", "prefill").set("sram_capacity", 2048);
  const NamedEstimate once = point.evaluate();
  const NamedEstimate again = point.set("weight_reload", "by_sram").evaluate();
  BOOST_TEST(again.status == "ok");
  BOOST_TEST(again["memory_time"] - once["memory_time"] == 8 * 294912 / 1e9, tt::tolerance(1e-9));
  // With 10 kB, the weights of the attention fit and those of the feed-forward network are loaded 1.024 times.
  const NamedEstimate larger = point.set("sram_capacity", 10000).evaluate();
  BOOST_TEST(larger["memory_time"] - once["memory_time"] == 8 * 2 * 0.024 * 32768 / 1e9, tt::tolerance(1e-9));
  BOOST_TEST(point.set("sram_capacity", 10240).evaluate()["memory_time"] == once["memory_time"], tt::tolerance(1e-12));
  BOOST_TEST(point.set("sram_capacity", 639).evaluate().status == "out_of_sram");  // a token of FFN0 needs 640 B
  BOOST_TEST(point.set("mapping", "best").evaluate().status == "no_mapping");
}

/// 398.64 billion parameters of two bytes, half of the layers dense, over eight chips, and some tensors.
BOOST_AUTO_TEST_CASE(a_model_stores_all_its_experts) {
  Entry maverick = transformer_entry(5120, 40, 48, 512, 8);
  for (const auto& [field, value] : {std::pair{"key_value_heads", 8.0},
                                     {"head_dim", 128.0},
                                     {"ffn_hidden", 16384.0},
                                     {"gated_ffn", 1.0},
                                     {"experts", 128.0},
                                     {"experts_per_token", 1.0},
                                     {"expert_ffn_hidden", 8192.0},
                                     {"shared_ffn_hidden", 8192.0},
                                     {"dense_layers", 24.0}})
    maverick.numbers[field] = value;
  for (const char* sharding : {"least_bytes", "least_time"}) {
    const NamedEstimate stored = ring_of(8, maverick).set("phase", "prefill").set("sharding", sharding).evaluate();
    BOOST_TEST(stored.status == "ok");
    BOOST_TEST(stored["memory_used"] == 398.642380800e9 * 2 / 8, tt::tolerance(2e-3));
    const NamedEstimate trained = ring_of(8, maverick).set("sharding", sharding).evaluate();
    BOOST_TEST(trained["memory_used"] >= 398.642380800e9 * 16 / 8);
  }
  DataflowPoint small = ring_of(8, maverick);
  BOOST_TEST(small.set("phase", "prefill").set("dram_capacity", 80e9).evaluate().status == "out_of_memory");
  for (const char* mapping : {"best", "single_partition"})
    BOOST_TEST(ring_of(8, maverick).set("phase", "prefill").set("mapping", mapping).evaluate().status == "ok");
}

/// One expert of one per token, also beside a shared one, is the dense model in every metric.
BOOST_AUTO_TEST_CASE(one_expert_is_the_dense_model) {
  for (const char* phase : {"prefill", "train"})
    for (const double shared : {0.0, 100.0}) {
      DataflowPoint point = sixteen_chips();
      point.set("phase", phase).set("tensor_parallel", 2).set("pipeline_parallel", 2).set("data_parallel", 4);
      const NamedEstimate dense = point.set("model", transformer_entry(64, 4, 4, 16, 32)).evaluate();
      Entry one = transformer_entry(64, 4, 4, 16, 32);
      one.numbers["experts"] = one.numbers["experts_per_token"] = 1;
      one.numbers["expert_ffn_hidden"] = 256 - shared;
      one.numbers["shared_ffn_hidden"] = shared;
      const NamedEstimate routed = point.set("model", one).evaluate();
      BOOST_TEST(dense.status == "ok");
      for (const auto& [metric, value] : dense.metrics) BOOST_TEST_CONTEXT(metric)
      BOOST_TEST((routed[metric] == value || (std::isnan(value) && std::isnan(routed[metric]))));
    }
}

BOOST_AUTO_TEST_SUITE_END()
