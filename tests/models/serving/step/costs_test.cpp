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

BOOST_AUTO_TEST_CASE(attention_by_sequences_reads_all_of_its_weights) {
  Replica replica = large_replica();
  replica.model = served(testing::small_experts());
  const Costs heads = costs_of(replica);
  replica.attention = AttentionParallel::data;
  const Costs sequences = costs_of(replica);
  BOOST_TEST((sequences.attention.weights / heads.attention.weights) == 8, tt::tolerance(1e-12));
  BOOST_TEST(sequences.attention.token.value() == heads.attention.token.value());
  // Two of eight devices hold the experts of a token: 2 h (t-1)/t 2/t numbers of 2 bytes for each of 4 layers.
  BOOST_TEST(sequences.exchange.value() == 4 * 2 * 1024 * 7.0 / 8 * 2 / 8 * 2 / (bounded(0.6, 1) * 400e9),
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(grouped_queries_cost_a_little_more_than_their_keys) {
  Replica replica = large_replica();
  const Costs with = costs_of(replica);
  replica.efficiency.cache.grouped = 0;
  BOOST_TEST((with.position / costs_of(replica).position) == 1 + 0.08 * 7, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
