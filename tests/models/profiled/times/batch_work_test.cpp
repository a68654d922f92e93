/// Work of a batch, and the shares of a device that it reaches.
#include "models/profiled/times/batch_work.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(batch_work_test)

namespace {

using namespace dfsweep;
using namespace dfsweep::profiled;
namespace tt = boost::test_tools;

/// Hidden 8, two heads of width 4 with keys of their own, a gated network of 16, on two devices: query 4, keys 4,
/// network 8.
LayerSplit layer() {
  LayerSplit layer;
  layer.model.layers = 2;
  layer.model.hidden = 8;
  layer.model.heads = 2;
  layer.model.head_dim = 4;
  layer.model.key_value_heads = 2;
  layer.model.ffn_hidden = 16;
  layer.model.up_products = 2;
  layer.tensor_parallel = 2;
  return layer;
}

}  // namespace

BOOST_AUTO_TEST_CASE(tokens_pass_all_operators_of_a_layer) {
  const auto of = [](Operator op) { return token_work(op, layer(), 3).flop.value(); };
  double expected = 2 * of(Operator::add);
  for (const Operator op : {Operator::attn_pre_proj, Operator::attn_post_proj, Operator::mlp_up_proj,
                            Operator::mlp_down_proj, Operator::mlp_act, Operator::input_layernorm, Operator::attn_rope,
                            Operator::post_attention_layernorm, Operator::attn_kv_cache_save})
    expected += of(op);
  BOOST_TEST(tokens_work(layer(), 3, 2).flop.value() == expected, tt::tolerance(1e-12));
  // Most of it are products: 2 x 3 x (8 x 12 + 4 x 8 + 8 x 16 + 8 x 8) FLOP.
  BOOST_TEST(expected > 6 * (96 + 32 + 128 + 64));
}

BOOST_AUTO_TEST_CASE(equal_requests_of_a_part_are_those_of_the_groups) {
  // Two requests of 15 tokens and one more, in pages of 16; a chunk of 8 tokens behind 8.
  const OperatorWork decode = attention_work(layer(), {2, 2, 32}, {});
  BOOST_TEST(decode.flop.value() == decode_work(layer(), 2, 15).flop.value());
  BOOST_TEST(decode.bytes.value() == decode_work(layer(), 2, 15).bytes.value());
  const OperatorWork prefill = attention_work(layer(), {}, {1, 8, 16});
  BOOST_TEST(prefill.flop.value() == prefill_work(layer(), 8, 8).flop.value());
  const OperatorWork both = attention_work(layer(), {2, 2, 32}, {1, 8, 16});
  BOOST_TEST(both.flop.value() == decode.flop.value() + prefill.flop.value());
}

BOOST_AUTO_TEST_CASE(shares_are_of_the_time_in_which_kernels_run) {
  // Two stages: 6 s of kernels in both, 1 s of transfer; the slowest stage takes 4 s, so that a device works 3 s of 4.
  BatchTime time;
  time.attention = Seconds{2};
  time.mlp = Seconds{3};
  time.output = Seconds{1};
  time.pipeline_comm = Seconds{1};
  time.slowest = Seconds{4};
  Stages stages;
  stages.transfers_inside = 1;
  stages.outputs = 1;
  const DeviceRates rates{Throughput{100}, Bandwidth{10}};
  const cost::KernelWork work = kernel_work({Flop{60}, Bytes{30}}, rates, time, stages);
  BOOST_TEST(work.busy == 0.75);
  BOOST_TEST(work.flop_share == 0.1, tt::tolerance(1e-12));
  BOOST_TEST(work.byte_share == 0.5, tt::tolerance(1e-12));
  // What was measured faster than the stated rates allow counts as the whole rate.
  const cost::KernelWork most = kernel_work({Flop{6000}, Bytes{3000}}, rates, time, stages);
  BOOST_TEST(most.flop_share == 1);
  BOOST_TEST(most.byte_share == 1);
}

BOOST_AUTO_TEST_SUITE_END()
