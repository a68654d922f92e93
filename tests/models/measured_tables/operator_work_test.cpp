/// FLOP and bytes of operators by hand.
#include "models/measured_tables/operator_work.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(operator_work_test)

using namespace dfsweep;

namespace {

/// Two devices: 4 of 8 query heads and 1 of 2 key-value heads of width 4 each, 32 of 64 feed-forward lanes.
const LayerSplit layer{{.layers = 1,
                        .hidden = 32,
                        .heads = 8,
                        .head_dim = 4,
                        .key_value_heads = 2,
                        .ffn_hidden = 64,
                        .up_products = 2,
                        .vocabulary = 0},
                       2.0};

void check(const OperatorWork& work, double flop, double bytes) {
  BOOST_TEST(work.flop.value() == flop);
  BOOST_TEST(work.bytes.value() == bytes);
}

}  // namespace

BOOST_AUTO_TEST_CASE(products_read_both_factors) {
  check(token_work(Operator::attn_pre_proj, layer, 10), 2.0 * 10 * 32 * 24, 2.0 * (320 + 32 * 24 + 240));
  check(token_work(Operator::attn_post_proj, layer, 10), 2.0 * 10 * 16 * 32, 2.0 * (160 + 512 + 320));
  check(token_work(Operator::mlp_up_proj, layer, 10), 2.0 * 10 * 32 * 64, 2.0 * (320 + 2048 + 640));
  check(token_work(Operator::mlp_down_proj, layer, 10), 2.0 * 10 * 32 * 32, 2.0 * (320 + 1024 + 320));
}

BOOST_AUTO_TEST_CASE(streams_read_and_write) {
  check(token_work(Operator::add, layer, 10), 960, 2 * 960);
  check(token_work(Operator::mlp_act, layer, 10), 960, 2 * 960);             // reads 64 lanes, writes 32
  check(token_work(Operator::attn_kv_cache_save, layer, 10), 160, 2 * 160);  // keys and values, read and written
}

BOOST_AUTO_TEST_CASE(attention_attends_to_the_cache_and_to_itself) {
  check(decode_work(layer, 3, 9), 4.0 * 16 * 30, 2.0 * (2 * 4 * 30 + 2 * 16 * 3));
  check(prefill_work(layer, 100, 9), 4.0 * 16 * 9 * 105, 2.0 * (2 * 4 * 109 + 2 * 16 * 9));
}

BOOST_AUTO_TEST_CASE(the_slower_of_compute_and_memory_binds) {
  BOOST_TEST(roofline_time({Flop{100}, Bytes{10}}, {Throughput{10}, Bandwidth{100}}).value() == 10.0);
  BOOST_TEST(roofline_time({Flop{100}, Bytes{10}}, {Throughput{1000}, Bandwidth{1}}).value() == 10.0);
}

BOOST_AUTO_TEST_SUITE_END()
