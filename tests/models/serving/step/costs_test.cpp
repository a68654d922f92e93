/// Costs of a replica from its sizes and rates, multiplied by hand.
#include "models/serving/step/costs.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/serving_replica.hpp"

BOOST_AUTO_TEST_SUITE(costs_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::serving;
using dfsweep::testing::large_replica;

BOOST_AUTO_TEST_CASE(shares_are_bounded) {
  BOOST_TEST(bounded(0.1, 0.95) == 0.1, tt::tolerance(1e-7));
  BOOST_TEST(bounded(100, 0.95) == 0.95, tt::tolerance(1e-12));
  BOOST_TEST(bounded(0.95, 0.95) == 0.95 / std::pow(2.0, 0.125), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(products_are_weights_over_rates_of_all_devices) {
  const Costs costs = costs_of(large_replica());
  const double weights = 80.0 * 3 * 8192 * 28672;
  BOOST_TEST(costs.dense.token.value() == 2 * weights / (8 * bounded(0.70, 0.9) * 1e15), tt::tolerance(1e-12));
  BOOST_TEST(costs.dense.weights.value() == 2 * weights / (8 * bounded(0.80, 0.95) * 4e12), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(fewer_bits_have_their_own_peak_and_traffic) {
  Replica replica = large_replica();
  const Costs sixteen = costs_of(replica);
  replica.products = MatrixFormat::bits8;
  replica.bytes.weight = 1;
  const Costs eight = costs_of(replica);
  BOOST_TEST((sixteen.dense.weights / eight.dense.weights) == 2, tt::tolerance(1e-12));
  BOOST_TEST((sixteen.dense.token / eight.dense.token) == 2 * bounded(0.70 * 0.857, 0.9) / bounded(0.70, 0.9),
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(attention_over_an_8_bit_cache_has_the_8_bit_peak) {
  Replica replica = large_replica();
  const Costs sixteen = costs_of(replica);
  replica.bytes.cache = 1;
  BOOST_TEST((sixteen.pair / costs_of(replica).pair) == 2 * bounded(0.45 * 0.778, 0.8) / bounded(0.45, 0.8),
             tt::tolerance(1e-12));
  BOOST_TEST((sixteen.position / costs_of(replica).position) == 2, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(all_reduces_move_four_passes_of_the_hidden_numbers_a_layer) {
  const Costs costs = costs_of(large_replica());
  const double bytes = 80 * 8192 * 2.0 * 4 * 7 / 8;
  BOOST_TEST(costs.exchange.value() == bytes / (bounded(0.6, 1) * 400e9), tt::tolerance(1e-12));
  BOOST_TEST(costs.exchange_step.value() == 2 * 80 * 3 * (6.4e-6 + 1e-6), tt::tolerance(1e-12));  // log2(8) steps
}

BOOST_AUTO_TEST_CASE(one_device_exchanges_nothing) {
  const Costs costs = costs_of(large_replica(1));
  BOOST_TEST(costs.exchange.value() == 0);
  BOOST_TEST(costs.exchange_step.value() == 0);
}

BOOST_AUTO_TEST_CASE(a_group_beyond_its_node_is_slower) {
  const Costs inside = costs_of(large_replica(8));
  const Costs beyond = costs_of(large_replica(16));
  BOOST_TEST((beyond.exchange > inside.exchange));
  // 8 ranks of a node share 8 x 50 GB/s, as much as the node's links; the latency of the step across is its own.
  BOOST_TEST(beyond.exchange_step.value() == 2 * 80 * (3 * 7.4e-6 + 1 * 11.4e-6), tt::tolerance(1e-12));
  Replica slow = large_replica(16);
  slow.network.across.bandwidth = Bandwidth{5e9};
  BOOST_TEST((costs_of(slow).exchange / beyond.exchange) == 10, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(every_stage_is_scheduled_and_passes_its_tokens_on) {
  Replica replica = large_replica(2);
  const Costs one = costs_of(replica);
  replica.pipeline = 4;
  const Costs four = costs_of(replica);
  BOOST_TEST((four.host - one.host).value() == 3 * 1e-3, tt::tolerance(1e-9));
  BOOST_TEST((four.exchange_step - one.exchange_step).value() == 3 * 7.4e-6, tt::tolerance(1e-6));
  BOOST_TEST((four.exchange - one.exchange).value() == 3 * 8192 * 2 / 2 / (bounded(0.6, 1) * 400e9),
             tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(heads_of_keys_are_copied_where_devices_outnumber_them) {
  const Bytes whole = cache_of_token(large_replica(1));
  BOOST_TEST(whole.value() == 2.0 * 80 * 8 * 128 * 2);
  BOOST_TEST((whole / cache_of_token(large_replica(8))) == 8);
  BOOST_TEST((whole / cache_of_token(large_replica(16))) == 8);
}

BOOST_AUTO_TEST_CASE(ranks_of_attention_have_copies_and_share_experts) {
  Replica replica = large_replica();
  replica.model = served(testing::small_experts());
  const Costs heads = costs_of(replica);
  replica.tensor = 1;
  replica.attention_data = 8;
  const Costs ranks = costs_of(replica);
  BOOST_TEST((ranks.attention.weights / heads.attention.weights) == 8, tt::tolerance(1e-12));
  BOOST_TEST((ranks.attention.token / heads.attention.token) == 8, tt::tolerance(1e-12));
  BOOST_TEST((ranks.dense.weights / heads.dense.weights) == 8, tt::tolerance(1e-12));
  BOOST_TEST(ranks.experts.weights.value() == heads.experts.weights.value());
  BOOST_TEST(ranks.peak.value() == heads.peak.value());
  // No all-reduce. A device sends its token to the two of eight devices that hold its experts: 2 h 7/8 2 numbers of 2
  // bytes for each of 4 layers.
  BOOST_TEST(ranks.exchange.value() == 4 * 2 * 1024 * 7.0 / 8 * 2 * 2 / (bounded(0.6, 1) * 400e9),
             tt::tolerance(1e-12));
  BOOST_TEST(ranks.exchange_step.value() == 4 * 2 * 3 * 7.4e-6, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(attention_reduces_within_its_rank_and_experts_exchange_over_all) {
  Replica replica = large_replica(2);
  replica.model = served(testing::small_experts());
  replica.attention_data = 4;
  const Costs costs = costs_of(replica);
  // One all-reduce a layer over two devices: 2 h 1/2 numbers of 2 bytes; two exchanges a layer over eight, to which
  // each of the two devices of a rank sends half of its copies: 2 h 7/8 2/2.
  BOOST_TEST(costs.exchange.value() == 4 * 2 * 1024 * (0.5 + 7.0 / 8) * 2 / (bounded(0.6, 1) * 400e9),
             tt::tolerance(1e-12));
  BOOST_TEST(costs.exchange_step.value() == 4 * (1 + 2 * 3) * 7.4e-6, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_dense_model_on_ranks_exchanges_nothing_between_them) {
  Replica replica = large_replica(1);
  const Costs one = costs_of(replica);
  replica.attention_data = 8;
  const Costs ranks = costs_of(replica);
  BOOST_TEST(ranks.exchange_step.value() == 0);
  BOOST_TEST(ranks.exchange.value() == 0);
  BOOST_TEST(ranks.dense.weights.value() == one.dense.weights.value());
}

BOOST_AUTO_TEST_CASE(formats_of_experts_take_time_in_their_layers) {
  Replica replica = large_replica();
  replica.model = served(testing::small_experts());
  const Seconds plain = costs_of(replica).host;
  replica.expert_weights = ExpertWeights::bits8;
  replica.efficiency.host.expert_layer_8bit = Seconds{3e-6};
  BOOST_TEST((costs_of(replica).host - plain).value() == 4 * 3e-6, tt::tolerance(1e-9));
  replica.expert_weights = ExpertWeights::integers4;
  replica.efficiency.host.expert_layer_int4 = Seconds{7e-6};
  BOOST_TEST((costs_of(replica).host - plain).value() == 4 * 7e-6, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(attention_may_have_more_bits_than_experts) {
  Replica replica = large_replica();
  replica.accelerator.peak_4bit = Throughput{4e15};
  const Costs sixteen = costs_of(replica);
  replica.products = MatrixFormat::bits4;
  replica.bytes.weight = 0.5625;
  const Costs mixed = costs_of(replica);
  BOOST_TEST(mixed.attention.token.value() == sixteen.attention.token.value());
  BOOST_TEST(mixed.attention.weights.value() == sixteen.attention.weights.value());
  BOOST_TEST((sixteen.dense.weights / mixed.dense.weights) == 2 / 0.5625, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(copies_of_tokens_for_experts_pass_through_memory) {
  Replica replica = large_replica();
  replica.model = served(testing::small_experts());
  replica.efficiency.traffic = {.hidden = 40, .hidden_expert = 100};
  // 4 layers of 40 bytes, and 2/4 of 100 bytes more.
  BOOST_TEST(costs_of(replica).activations.value() == 4 * (40 + 50) * 1024.0 / (bounded(0.80, 0.95) * 4e12),
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(latent_attention_decodes_with_absorbed_projections) {
  Replica replica = large_replica(2);
  Architecture a = testing::large_decoder();
  a.latent = {.query_rank = 1536, .key_value_rank = 512, .plain_dim = 128, .rotary_dim = 64, .value_dim = 128};
  replica.model = served(a);
  const Costs costs = costs_of(replica);
  const double rate = 2 * bounded(0.45, 0.8) * 1e15;
  BOOST_TEST(costs.pair.value() == 2.0 * 80 * 64 * (128 + 64 + 128) / rate, tt::tolerance(1e-12));
  BOOST_TEST(costs.decode_pair.value() == 2.0 * 80 * 64 * (576 + 512) / rate, tt::tolerance(1e-12));
  BOOST_TEST(costs.position.value() == 80 * 576 * 2.0 / (bounded(0.80, 0.95) * 4e12), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(an_indexer_reads_its_keys_on_every_device) {
  Replica replica = large_replica();
  const Costs plain = costs_of(replica);
  Architecture a = testing::large_decoder();
  a.indexer = {.heads = 32, .head_dim = 128, .positions = 2048};
  replica.model = served(a);
  const Costs costs = costs_of(replica);
  BOOST_TEST(costs.index_position.value() == 80 * 128 / (bounded(0.80, 0.95) * 4e12), tt::tolerance(1e-12));
  BOOST_TEST(costs.index_pair.value() == 80 * 2 * 32 * 128 / (bounded(0.45 * 0.778, 0.8) * 2e15), tt::tolerance(1e-12));
  BOOST_TEST(costs.position.value() == plain.position.value(), tt::tolerance(1e-12));
  BOOST_TEST(costs.window == 2048);
  BOOST_TEST(costs.windowed_layers == 1);
  BOOST_TEST((costs.host - plain.host).value() == 80 * 15e-6, tt::tolerance(1e-9));
  BOOST_TEST((cache_of_token(replica) - cache_of_token(large_replica())).value() == 80 * 128);
}

BOOST_AUTO_TEST_CASE(layers_of_linear_attention_have_states_instead_of_a_cache) {
  Replica replica = large_replica();
  Architecture a = testing::large_decoder();
  a.linear = {.layers = 60, .key_heads = 16, .key_dim = 128, .value_heads = 64, .value_dim = 128};
  replica.model = served(a);
  BOOST_TEST((cache_of_token(large_replica()) / cache_of_token(replica)) == 4, tt::tolerance(1e-12));
  BOOST_TEST(state_of_sequence(replica).value() == 60 * 64 * 128 * 128 * 2.0 / 8);
  BOOST_TEST(costs_of(replica).state.value() == 2 * 60 * 64 * 128 * 128 * 2.0 / 8 / (bounded(0.80, 0.95) * 4e12),
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(grouped_queries_cost_a_little_more_than_their_keys) {
  Replica replica = large_replica();
  const Costs with = costs_of(replica);
  replica.efficiency.cache.grouped = 0;
  BOOST_TEST((with.position / costs_of(replica).position) == 1 + 0.08 * 7, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
