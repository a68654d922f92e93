/// Weights and caches by hand.
#include "models/profiled/times/memory_plan.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(memory_plan_test)

using namespace dfsweep;
using namespace dfsweep::profiled;

BOOST_AUTO_TEST_CASE(a_layer_weighs_its_matrices) {
  ServedModel llama{.layers = 32,
                    .hidden = 4096,
                    .heads = 32,
                    .head_dim = 128,
                    .key_value_heads = 32,
                    .ffn_hidden = 11008,
                    .up_products = 2,
                    .vocabulary = 32000};
  BOOST_TEST(layer_weights(llama, 1) == 4.0 * 4096 * 4096 + 3.0 * 4096 * 11008);
  BOOST_TEST(layer_weights(llama, 2) == 2.0 * 4096 * 4096 + 1.5 * 4096 * 11008);
  llama.key_value_heads = 8;
  // 8 heads on 16 devices: one on each, so that all are there twice.
  BOOST_TEST(layer_weights(llama, 16) == 4096.0 * 128 * (2 + 2) + 4096.0 * 128 * 2 + 3.0 * 4096 * 11008 / 16);
  BOOST_TEST(cache_per_token(llama, 2, 10, Bytes{2}).value() == 2.0 * 128 * 4 * 2 * 10);
  BOOST_TEST(embedding_weights(llama, 2) == 32000.0 * 2048);
}

BOOST_AUTO_TEST_CASE(memory_counts_what_the_convention_counts) {
  const ServedModel small{.layers = 4,
                          .hidden = 8,
                          .heads = 4,
                          .head_dim = 2,
                          .key_value_heads = 4,
                          .ffn_hidden = 16,
                          .up_products = 1,
                          .vocabulary = 100};
  const Stages first = stages_of(4, 1, 2, {0}, 8, crosses_if_partner_is_elsewhere, 0.0);
  // A layer: 4 * 64 + 2 * 128 = 512 weights.
  const MemoryPlan measured = memory_plan(small, 1, first, profile_convention_named("measured"));
  BOOST_TEST(measured.weights.value() == 2.0 * (2 * 512 + 800));
  BOOST_TEST(measured.cache_per_token.value() == 2.0 * 8 * 2 * 2);  // two layers
  const MemoryPlan vidur = memory_plan(small, 1, first, profile_convention_named("vidur"));
  BOOST_TEST(vidur.weights.value() == 2.0 * 2 * 512);
  BOOST_TEST(vidur.cache_per_token.value() == 2.0 * 8 * 2 * 4);  // all four
  // 2048 B of weights leave 952 B: no request of 8 tokens of 128 B each, 7 of one token.
  BOOST_TEST(requests_that_fit(vidur, Bytes{3000.0}, 8.0) == 0.0);
  BOOST_TEST(requests_that_fit(vidur, Bytes{3000.0}, 1.0) == 7.0);
  BOOST_TEST(requests_that_fit(vidur, Bytes{1000.0}, 1.0) == 0.0);
  BOOST_TEST(memory_of(vidur, 3.0).value() == 2048.0 + 3 * 128.0);
}

BOOST_AUTO_TEST_CASE(entries_say_what_they_lack) {
  Entry entry;
  entry.name = "gpt";
  entry.numbers = {{"layers", 2}, {"hidden", 8.5}, {"heads", 2}, {"gated_ffn", 1}};
  const auto decoded = decode_served_model(entry);
  BOOST_REQUIRE(decoded.problems.size() == 1U);
  BOOST_TEST(decoded.problems[0].problem == "'hidden' is 8.5");
  entry.numbers["hidden"] = 8;
  const auto good = decode_served_model(entry);
  BOOST_TEST(good.problems.empty());
  BOOST_TEST(good.value.head_dim == 4.0);
  BOOST_TEST(good.value.key_value_heads == 2.0);
  BOOST_TEST(good.value.ffn_hidden == 32.0);
  BOOST_TEST(good.value.up_products == 2.0);
  entry.texts["kind"] = "fft";
  BOOST_TEST(decode_served_model(entry).problems.front().problem == "'kind' is 'fft'");
}

BOOST_AUTO_TEST_SUITE_END()
