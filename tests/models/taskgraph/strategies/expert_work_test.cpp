/// Layers of experts by hand, and the models that no strategy describes.
#include "models/taskgraph/strategies/expert_work.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"
#include "tests/support/taskgraph_point.hpp"

BOOST_AUTO_TEST_SUITE(expert_work_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::taskgraph;
using namespace dfsweep::testing;

namespace {

/// 8 experts of width 128, two per token, and shared ones of width 32, all with a gate; hidden 64.
Transformer small_model() {
  Transformer t;
  t.layers = 1;
  t.hidden = 64;
  t.heads = t.key_value_heads = 4;
  t.head_dim = 16;
  t.ffn_hidden = 128;
  t.up_products = 2;
  t.experts = 8;
  t.experts_per_token = 2;
  t.shared_ffn_hidden = 32;
  return t;
}

void check(const Product& p, double count, double m, double k, double n) {
  BOOST_TEST(p.count == count);
  BOOST_TEST(p.m == m);
  BOOST_TEST(p.k == k);
  BOOST_TEST(p.n == n);
}

Entry model_entry() {
  Entry model;
  model.name = "experts";
  model.numbers = {{"layers", 4},
                   {"hidden", 64},
                   {"heads", 4},
                   {"ffn_hidden", 512},
                   {"gated_ffn", 1.0},
                   {"experts", 8.0},
                   {"experts_per_token", 2},
                   {"expert_ffn_hidden", 128}};
  return model;
}

TaskGraphPoint point_of(const Entry& model, const char* strategy) {
  TaskGraphPoint point;
  point.set("model", model).set("strategy", strategy).set("batch", 4).set("sequence_length", 1024);
  point.set("tensor_parallel", 2);
  return point;
}

struct Unmodelled {
  const char* why;
  std::map<std::string, double, std::less<>> fields;
  const char* reason;
};

const Unmodelled unmodelled[] = {
    {"dense layers first", {{"dense_layers", 1}}, "only 3 of 4 layers have experts"},
    {"a window", {{"window", 512}}, "the window of 512 tokens is shorter than the context of 1024"},
    {"latent attention",
     {{"query_rank", 64}, {"key_value_rank", 32}, {"plain_head_dim", 8}, {"rotary_head_dim", 8}, {"value_head_dim", 8}},
     "the model has latent attention"},
    {"a gate of attention", {{"gated_attention", 1}}, "the model has linear, sparse or gated attention"},
};

}  // namespace

/// 16 tokens on two devices visit 32 experts, 4 tokens each; each device has half of every width.
BOOST_AUTO_TEST_CASE(work_by_hand) {
  const ExpertWork w = expert_work(small_model(), 16, 2);
  check(w.router, 1, 16, 64, 8);
  check(w.up, 16, 4, 64, 64);
  check(w.down, 8, 4, 64, 64);
  check(w.shared_up, 2, 16, 64, 16);
  check(w.shared_down, 1, 16, 16, 64);
  BOOST_TEST(w.dispatched == 16 * 64 + 32 * 64);
  BOOST_TEST(w.combine.value() == 2 * 32 * 64);
  BOOST_TEST(w.combined == 32 * 64 + 16 * 64);
}

/// One token needs the weights of two experts only; all eight are stored.
BOOST_AUTO_TEST_CASE(few_tokens_visit_few_experts) {
  const Transformer model = small_model();
  const ExpertWork w = expert_work(model, 1, 1);
  check(w.up, 4, 1, 64, 128);
  check(w.down, 2, 1, 128, 64);
  BOOST_TEST(tokens_for_all_experts(model) == 4);
  BOOST_TEST(layer_parameters(model) == 2 * 64 * (64 + 64) + 3 * 64 * (8 * 128 + 32) + 64 * 8);
}

/// The time of a layer of 4096 tokens on two devices that compute at 1 FLOP/s and move bytes for nothing.
BOOST_AUTO_TEST_CASE(a_step_computes_k_of_all_experts) {
  TaskGraphPoint point = point_of(model_entry(), "tensor_pipeline");
  const NamedEstimate r = point.set("peak_flops", 1).set("dram_bandwidth", 1e24).evaluate();
  BOOST_TEST_REQUIRE(r.status == "ok");
  const double tokens = 4096;
  const double products = 2 * tokens * 64 * 8 + 2.0 * 3 * 2 * tokens * 64 * 64 + 2 * 2 * tokens * 64;
  BOOST_TEST(r["ffn_time"] == 4 * products, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(all_strategies_have_experts) {
  for (const char* strategy : {"tensor_pipeline", "attention_pool", "layerwise"}) {
    TaskGraphPoint point = point_of(model_entry(), strategy);
    const NamedEstimate r = point.evaluate();
    BOOST_TEST(r.status == "ok");
    BOOST_TEST(r["layer_weights"] == 2 * (4 * 64 * 64 + 3 * 64 * 8 * 128 + 64 * 8));
    BOOST_TEST(point.set("convention", "source").evaluate().status == "not_modelled");
    BOOST_TEST(point.reason() == "the published shapes of convention 'source' have no experts");
  }
}

BOOST_DATA_TEST_CASE(layers_that_no_strategy_describes, bdata::make(unmodelled), c) {
  Entry model = model_entry();
  for (const auto& [name, value] : c.fields) model.numbers[name] = value;
  for (const char* strategy : {"tensor_pipeline", "attention_pool", "layerwise"}) {
    const TaskGraphPoint point = point_of(model, strategy);
    BOOST_TEST(point.evaluate().status == "not_modelled");
    BOOST_TEST(point.reason() == c.reason);
  }
}

/// A window that holds the whole context changes nothing.
BOOST_AUTO_TEST_CASE(a_wide_window_is_full_attention) {
  Entry model = model_entry();
  const double step = point_of(model, "tensor_pipeline").evaluate()["step_time"];
  model.numbers["window"] = 1024;
  BOOST_TEST(point_of(model, "tensor_pipeline").evaluate()["step_time"] == step);
}

BOOST_AUTO_TEST_SUITE_END()
