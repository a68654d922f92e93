/// Weights, caches and scores of transformers, against sizes multiplied by hand.
#include "models/transformer/served.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/serving_replica.hpp"

BOOST_AUTO_TEST_SUITE(served_test)

using namespace dfsweep;
using namespace dfsweep::serving;
using dfsweep::testing::large_decoder;
using dfsweep::testing::small_experts;

BOOST_AUTO_TEST_CASE(a_dense_model_has_attention_and_gated_networks) {
  const Served s = served(large_decoder());
  BOOST_TEST(s.attention_weights == 80.0 * (8192 * (64 + 2 * 8) * 128 + 64 * 128 * 8192));
  BOOST_TEST(s.dense_weights == 80.0 * 3 * 8192 * 28672);
  BOOST_TEST(s.expert_weights == 0);
  BOOST_TEST(s.embedding_weights == 2.0 * 128256 * 8192);
  BOOST_TEST(s.cache_numbers == 2.0 * 80 * 8 * 128);
  BOOST_TEST(s.score_flop == 4.0 * 80 * 64 * 128);
  BOOST_TEST(s.queries_per_key == 8);
}

BOOST_AUTO_TEST_CASE(experts_are_apart_and_routers_are_dense) {
  const Served s = served(small_experts());
  BOOST_TEST(s.expert_weights == 4.0 * 8 * 3 * 1024 * 2048);
  BOOST_TEST(s.dense_weights == 4.0 * 1024 * 8);
  BOOST_TEST(s.expert_layers == 4);
}

BOOST_AUTO_TEST_CASE(dense_layers_of_a_model_with_experts_keep_their_network) {
  dfsweep::Architecture a = small_experts();
  a.experts.dense_layers = 1;
  const Served s = served(a);
  BOOST_TEST(s.expert_layers == 3);
  BOOST_TEST(s.dense_weights == 3.0 * 1024 * 2048 + 3.0 * 1024 * 8);
}

BOOST_AUTO_TEST_CASE(latent_attention_keeps_one_vector_for_all_heads) {
  dfsweep::Architecture a = large_decoder();
  a.latent = {.query_rank = 1536, .key_value_rank = 512, .plain_dim = 128, .rotary_dim = 64, .value_dim = 128};
  const Served s = served(a);
  BOOST_TEST(s.is_latent);
  BOOST_TEST(s.cache_numbers == 80.0 * (512 + 64));
  BOOST_TEST(s.score_flop == 2.0 * 80 * 64 * (128 + 64 + 128));
  BOOST_TEST(s.decode_flop == 2.0 * 80 * 64 * (512 + 64 + 512));
  BOOST_TEST(s.queries_per_key == 1);
}

BOOST_AUTO_TEST_CASE(an_indexer_selects_what_attention_reads) {
  dfsweep::Architecture a = large_decoder();
  a.indexer = {.heads = 32, .head_dim = 128, .positions = 2048};
  const Served s = served(a);
  BOOST_TEST(s.window == 2048);
  BOOST_TEST(s.windowed_layers == 1);
  BOOST_TEST(s.indexed_layers == 80);
  BOOST_TEST(s.index_numbers == 80 * 128);
  BOOST_TEST(s.index_flop == 2.0 * 80 * 32 * 128);
}

BOOST_AUTO_TEST_CASE(layers_of_linear_attention_have_states) {
  dfsweep::Architecture a = large_decoder();
  a.linear = {.layers = 60, .key_heads = 16, .key_dim = 128, .value_heads = 64, .value_dim = 128};
  const Served s = served(a);
  BOOST_TEST(s.cache_numbers == 2.0 * 20 * 8 * 128);
  BOOST_TEST(s.score_flop == 4.0 * 20 * 64 * 128);
  BOOST_TEST(s.state_numbers == 60.0 * 64 * 128 * 128);
  BOOST_TEST(s.attention_weights == 20.0 * (8192 * 80 * 128 + 64 * 128 * 8192) + 60 * linear_parameters(a));
}

BOOST_AUTO_TEST_SUITE_END()
