/// What fits a memory, against bytes added by hand.
#include "models/serving/batching/capacity.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/serving_replica.hpp"

BOOST_AUTO_TEST_SUITE(capacity_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::serving;
using dfsweep::testing::large_replica;

namespace {

/// 100 B of memory, 40 of weights, 10 of buffers, 2 for a token, half of the rest for the cache: 12.5 tokens.
Capacity small() {
  return {.memory = Bytes{100}, .weights = Bytes{40}, .buffers = Bytes{10}, .token = Bytes{2}, .cache_share = 0.5};
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_rest_of_the_memory_holds_requests) {
  BOOST_TEST(most_requests(small(), {.prompt = 3, .output = 2}) == 2.5);
  BOOST_TEST(most_requests(small(), {.shared = 2.5, .prompt = 3, .output = 2}) == 2);
  BOOST_TEST(most_requests(small(), {.prompt = 1, .output = 1, .beams = 4}) == 2.5);  // one prompt, four answers
}

BOOST_AUTO_TEST_CASE(parts_add_up) {
  const RequestTokens tokens{.shared = 1, .prompt = 3, .output = 2};
  BOOST_TEST(cache_bytes(small(), tokens, 4).value() == 2 * (1 + 4 * 5));
  BOOST_TEST(memory_used(small(), tokens, 4).value() == 40 + 10 + 42);
}

BOOST_AUTO_TEST_CASE(nothing_fits_where_weights_do_not) {
  Capacity capacity = small();
  capacity.weights = Bytes{120};
  BOOST_TEST(most_requests(capacity, {.prompt = 3, .output = 2}) < 0);
}

BOOST_AUTO_TEST_CASE(devices_share_weights_and_cache) {
  const Capacity capacity = capacity_of(large_replica(), 8192);
  const double layers = 80.0 * (8192 * (64 + 16) * 128 + 64 * 128 * 8192 + 3.0 * 8192 * 28672);
  BOOST_TEST(capacity.weights.value() == (layers + 2.0 * 128256 * 8192) * 2 / 8);
  BOOST_TEST(capacity.buffers.value() == 2.5e9 + 8 * 8192 * 8192);
  BOOST_TEST(capacity.token.value() == 2.0 * 80 * 8 * 128 * 2 / 8);
}

BOOST_AUTO_TEST_CASE(the_largest_stage_counts) {
  Replica replica = large_replica(1);
  replica.pipeline = 3;  // 27, 27 and 26 layers
  const Capacity capacity = capacity_of(replica, 0);
  const double layer = 8192.0 * (64 + 16) * 128 + 64 * 128 * 8192 + 3.0 * 8192 * 28672;
  BOOST_TEST(capacity.weights.value() == 27 * layer * 2 + 128256.0 * 8192 * 2, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(weights_of_four_bits_leave_embeddings_alone) {
  Replica replica = large_replica(1);
  const Bytes sixteen = capacity_of(replica, 0).weights;
  replica.bytes.weight = 0.5625;
  const double layers = served(testing::large_decoder()).attention_weights + 80.0 * 3 * 8192 * 28672;
  BOOST_TEST((sixteen - capacity_of(replica, 0).weights).value() == layers * (2 - 0.5625), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_sequence_is_on_one_rank) {
  Replica replica = large_replica(1);
  replica.attention_data = 8;
  const Capacity capacity = capacity_of(replica, 0);
  BOOST_TEST(capacity.token.value() == 2.0 * 80 * 8 * 128 * 2);
  BOOST_TEST(capacity.ranks == 8);
  Capacity ranks = small();
  ranks.ranks = 8;
  const RequestTokens tokens{.prompt = 3, .output = 2};
  BOOST_TEST(most_requests(ranks, tokens) == 8 * 2.5);
  BOOST_TEST(cache_bytes(ranks, tokens, 1).value() == 10);  // a rank has one or none
  BOOST_TEST(cache_bytes(ranks, tokens, 16).value() == 20);
  ranks.memory = Bytes{60};  // 2.5 tokens
  BOOST_TEST(most_requests(ranks, tokens) == 0.5);
}

BOOST_AUTO_TEST_CASE(ranks_have_copies_of_all_but_experts) {
  Replica replica = large_replica(1);
  replica.model = served(testing::small_experts());
  replica.attention_data = 4;
  const Served& m = replica.model;
  BOOST_TEST(capacity_of(replica, 0).weights.value() ==
             2 * (m.attention_weights + m.dense_weights + m.expert_weights / 4 + m.embedding_weights));
}

BOOST_AUTO_TEST_CASE(shares_are_of_all_memory_or_of_what_is_left) {
  BOOST_TEST(cache_room(small(), MemoryShare::all, 0.8).value() == 30);   // 80 - 50
  BOOST_TEST(cache_room(small(), MemoryShare::left, 0.8).value() == 40);  // 0.8 of 50
  BOOST_TEST(cache_tokens(small(), Bytes{30}, 7) == 15);
  BOOST_TEST(cache_tokens(small(), Bytes{-1}, 0) == 0);
}

BOOST_AUTO_TEST_CASE(states_take_room_for_each_sequence) {
  Capacity capacity = small();
  capacity.state = Bytes{5};
  BOOST_TEST(cache_tokens(capacity, Bytes{30}, 4) == 5);
  BOOST_TEST(most_requests(capacity, {.prompt = 3, .output = 2}) == 25.0 / 15);
  BOOST_TEST(cache_bytes(capacity, {.prompt = 3, .output = 2}, 2).value() == 30);
}

BOOST_AUTO_TEST_CASE(a_draft_model_is_in_the_memory_too) {
  const Capacity draft{Bytes{100}, Bytes{5}, Bytes{10}, Bytes{1}};
  const Capacity both = small() + draft;
  BOOST_TEST(both.weights.value() == 45);
  BOOST_TEST(both.buffers.value() == 10);
  BOOST_TEST(both.token.value() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
