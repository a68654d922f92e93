/// Counts of layers of experts, against numbers computed by hand.
#include "models/transformer/expert_layer.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(expert_layer_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;

namespace {

Architecture mixtral_8x7b() {
  Architecture a;
  a.layers = 32;
  a.hidden = 4096;
  a.heads = 32;
  a.key_value_heads = 8;
  a.head_dim = 128;
  a.ffn_hidden = 14336;
  a.ffn_matrices = 3;
  a.experts = {8, 2, 14336, 0, 0};
  return a;
}

Architecture llama4_maverick() {
  Architecture a = mixtral_8x7b();
  a.hidden = 5120;
  a.experts = {128, 1, 8192, 8192, 24};
  return a;
}

struct CountCase {
  const char* why;
  Architecture model;
  double tokens, visits, experts, each, router, routed, shared, combine, routed_parameters, shared_parameters;
};

const CountCase count_cases[] = {
    // 2 x 4096 x 4096 x 8; 2 x 8192 x 3 x 4096 x 14336; 2 x 8192 x 4096; 8 x 3 x 4096 x 14336
    {"two of eight experts", mixtral_8x7b(), 4096, 8192, 8, 1024, 268435456, 2886218022912, 0, 67108864, 1409286144, 0},
    // 2 x 64 x 5120 x 128; 2 x 64 x 3 x 5120 x 8192, twice: routed and shared; 2 x 64 x 5120
    {"fewer tokens than experts", llama4_maverick(), 64, 64, 64, 1, 83886080, 16106127360, 16106127360, 655360,
     16106127360, 125829120},
    {"tokens that experts do not share evenly", mixtral_8x7b(), 5, 10, 8, 2, 327680, 3523215360, 0, 81920, 1409286144,
     0},
};

}  // namespace

BOOST_DATA_TEST_CASE(counts_by_hand, bdata::make(count_cases), c) {
  const ExpertCounts counts = expert_counts(c.model, c.tokens);
  BOOST_TEST(counts.visits == c.visits);
  BOOST_TEST(counts.experts == c.experts);
  BOOST_TEST(counts.tokens_per_expert == c.each);
  BOOST_TEST(counts.router.value() == c.router);
  BOOST_TEST(counts.routed.value() == c.routed);
  BOOST_TEST(counts.shared.value() == c.shared);
  BOOST_TEST(counts.combine.value() == c.combine);
  BOOST_TEST(counts.dispatched == c.visits * c.model.hidden);
  BOOST_TEST(counts.router_parameters == c.model.hidden * c.model.experts.count);
  BOOST_TEST(counts.routed_parameters == c.routed_parameters);
  BOOST_TEST(counts.shared_parameters == c.shared_parameters);
}

BOOST_AUTO_TEST_CASE(one_expert_is_a_dense_layer) {
  Architecture a = mixtral_8x7b();
  BOOST_TEST(has_routing(a));
  a.experts.count = 1;
  BOOST_TEST(!has_routing(a));
}

BOOST_AUTO_TEST_CASE(attention_that_is_not_of_the_whole_sequence) {
  Architecture a = mixtral_8x7b();
  BOOST_TEST(other_attention(a, 1e6).empty());
  a.window = 4096;
  a.windowed_layers = 0.5;
  BOOST_TEST(other_attention(a, 4096).empty());
  BOOST_TEST(other_attention(a, 4097).find("windows of 4096") != std::string::npos);
  a.windowed_layers = 0;
  BOOST_TEST(other_attention(a, 4097).empty());
  a.latent.key_value_rank = 512;
  BOOST_TEST(other_attention(a, 1).find("latent") != std::string::npos);
  a.latent = {};
  a.gated_attention = true;
  BOOST_TEST(other_attention(a, 1).find("gates") != std::string::npos);
  a.indexer.heads = 4;
  BOOST_TEST(other_attention(a, 1).find("sparse") != std::string::npos);
  a.linear.layers = 2;
  BOOST_TEST(other_attention(a, 1).find("linear") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
