/// Architecture: parameters against published totals, and the two ways to count FLOP.
#include "models/transformer/architecture.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/transformer/model_flop.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(architecture_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

Architecture gpt3() {
  Architecture a;
  a.layers = 96;
  a.hidden = 12288;
  a.heads = a.key_value_heads = 96;
  a.head_dim = 128;
  a.ffn_hidden = 49152;
  a.vocabulary = 51200;
  a.tied_embeddings = true;
  return a;
}

Architecture llama3_405b() {
  Architecture a;
  a.layers = 126;
  a.hidden = 16384;
  a.heads = 128;
  a.key_value_heads = 8;
  a.head_dim = 128;
  a.ffn_hidden = 53248;
  a.ffn_matrices = 3;
  a.vocabulary = 128256;
  return a;
}

Architecture deepseek_v3() {
  Architecture a;
  a.layers = 61;
  a.hidden = 7168;
  a.heads = a.key_value_heads = 128;
  a.head_dim = 128;
  a.ffn_hidden = 18432;
  a.ffn_matrices = 3;
  a.vocabulary = 129280;
  a.latent = {.query_rank = 1536, .key_value_rank = 512, .plain_dim = 128, .rotary_dim = 64, .value_dim = 128};
  a.experts = {.count = 256, .per_token = 8, .ffn_hidden = 2048, .shared_ffn_hidden = 2048, .dense_layers = 3};
  return a;
}

/// Queries are projected at once.
Architecture deepseek_v2_lite() {
  Architecture a;
  a.layers = 27;
  a.hidden = 2048;
  a.heads = a.key_value_heads = 16;
  a.head_dim = 128;
  a.ffn_hidden = 10944;
  a.ffn_matrices = 3;
  a.vocabulary = 102400;
  a.latent = {.key_value_rank = 512, .plain_dim = 128, .rotary_dim = 64, .value_dim = 128};
  a.experts = {.count = 64, .per_token = 6, .ffn_hidden = 1408, .shared_ffn_hidden = 2816, .dense_layers = 1};
  return a;
}

/// 3 of 4 layers have linear attention; attention is gated.
Architecture qwen35_397b() {
  Architecture a;
  a.layers = 60;
  a.hidden = 4096;
  a.heads = 32;
  a.key_value_heads = 2;
  a.head_dim = 256;
  a.ffn_hidden = 1024;
  a.ffn_matrices = 3;
  a.vocabulary = 248320;
  a.gated_attention = true;
  a.linear = {.layers = 45, .key_heads = 16, .key_dim = 128, .value_heads = 64, .value_dim = 128};
  a.experts = {.count = 512, .per_token = 10, .ffn_hidden = 1024, .shared_ffn_hidden = 1024};
  return a;
}

Architecture glm5() {
  Architecture a;
  a.layers = 78;
  a.hidden = 6144;
  a.heads = a.key_value_heads = 64;
  a.head_dim = 256;
  a.ffn_hidden = 12288;
  a.ffn_matrices = 3;
  a.vocabulary = 154880;
  a.latent = {.query_rank = 2048, .key_value_rank = 512, .plain_dim = 192, .rotary_dim = 64, .value_dim = 256};
  a.indexer = {.heads = 32, .head_dim = 128, .positions = 2048};
  a.experts = {.count = 256, .per_token = 8, .ffn_hidden = 2048, .shared_ffn_hidden = 2048, .dense_layers = 3};
  return a;
}

struct CountCase {
  const char* why;
  Architecture architecture;
  double total;  ///< published, parameters
  double active;
};

const CountCase count_cases[] = {
    {"GPT-3: 96 layers of 12 h^2, embedding once", gpt3(), 174.6e9, 174.6e9},
    {"Llama 3.1 405B: grouped queries, gate, embedding and output layer", llama3_405b(), 405.8e9, 403.7e9},
    {"DeepSeek-V3: latent attention, 8 of 256 experts, one shared", deepseek_v3(), 671.0e9, 36.5e9},
    {"DeepSeek-V2-Lite: queries projected at once; 2.45 G active are rounded to 2.4", deepseek_v2_lite(), 15.7e9,
     2.45e9},
    {"Qwen3.5 397B: linear attention in 45 of 60 layers; 17.3 G active with the embedding", qwen35_397b(), 396.3e9,
     17.3e9 - 248320.0 * 4096},
    {"GLM-5: an indexer beside latent attention; 41.8 G active with the embedding", glm5(), 744e9,
     41.8e9 - 154880.0 * 6144},
};

}  // namespace

BOOST_DATA_TEST_CASE(parameters_are_those_published, bdata::make(count_cases)) {
  BOOST_TEST(total_parameters(sample.architecture) == sample.total, tt::tolerance(0.002));
  BOOST_TEST(active_parameters(sample.architecture) == sample.active, tt::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(latent_attention_counts_every_projection) {
  // 7168*1536 + 1536*128*192 + 7168*576 + 512*128*256 + 128*128*7168
  BOOST_TEST(attention_parameters(deepseek_v3()) == 11010048.0 + 37748736.0 + 4128768.0 + 16777216.0 + 117440512.0);
}

BOOST_AUTO_TEST_CASE(latent_attention_may_project_queries_at_once) {
  // 2048*16*192 + 2048*576 + 512*16*256 + 16*128*2048
  BOOST_TEST(attention_parameters(deepseek_v2_lite()) == 6291456.0 + 1179648.0 + 2097152.0 + 4194304.0);
  BOOST_TEST(latent_up_parameters(deepseek_v2_lite()) == 6291456.0 + 2097152.0);
  BOOST_TEST(key_dim(deepseek_v2_lite()) == 192.0);
  Entry entry;
  entry.numbers = {{"layers", 27},          {"hidden", 2048},        {"heads", 16},          {"key_value_rank", 512},
                   {"plain_head_dim", 128}, {"rotary_head_dim", 64}, {"value_head_dim", 128}};
  const Decoded<Architecture> decoded = decode_architecture(entry);
  BOOST_TEST(decoded.problems.size() == 0U);
  BOOST_TEST((decoded.value.latent == deepseek_v2_lite().latent));
  entry.numbers.erase("key_value_rank");
  entry.numbers["query_rank"] = 1536;
  BOOST_TEST(decode_architecture(entry).problems.front().problem == "'key_value_rank' is missing");
}

BOOST_AUTO_TEST_CASE(heads_share_heads_of_keys_evenly) {
  Entry entry;
  entry.numbers = {{"layers", 1}, {"hidden", 2048}, {"heads", 32}, {"key_value_heads", 3}};
  const std::vector<EntryProblem> problems = decode_architecture(entry).problems;
  BOOST_TEST(problems.size() == 1U);
  BOOST_TEST(problems.front().problem == "'key_value_heads' is 3, and 'heads' is 32");
  BOOST_TEST(problems.front().fields.front() == "key_value_heads");
  for (const double heads : {1.0, 8.0, 32.0}) {
    entry.numbers["key_value_heads"] = heads;
    BOOST_TEST(decode_architecture(entry).problems.size() == 0U);
  }
}

BOOST_AUTO_TEST_CASE(linear_attention_counts_projections_and_states) {
  // Queries and keys 2 * 2048, values and gates 2 * 8192, 2 numbers of 64 heads; 8192 values back.
  BOOST_TEST(linear_parameters(qwen35_397b()) == 4096.0 * (4096 + 16384 + 128) + 8192.0 * 4096);
  BOOST_TEST(state_numbers(qwen35_397b()) == 64.0 * 128 * 128);
  // The query projection is twice as wide: 2 * 32 + 2 * 2 heads of 256.
  BOOST_TEST(attention_parameters(qwen35_397b()) == 4096.0 * 68 * 256 + 8192.0 * 4096);
}

BOOST_AUTO_TEST_CASE(an_indexer_has_queries_keys_and_weights) {
  dfsweep::Architecture plain = glm5();
  plain.indexer = {};
  // 2048 narrow queries to 32 heads of 128; one key of 128 and 32 weights of heads from 6144 hidden numbers.
  BOOST_TEST(attention_parameters(glm5()) - attention_parameters(plain) == 2048.0 * 4096 + 6144.0 * 160);
}

BOOST_AUTO_TEST_CASE(full_attention_counts_twice_the_causal_half) {
  const Architecture a = gpt3();
  const auto scores = [&](AttentionCount count) {
    return forward_flop_per_token(a, 2048, count).value() - 2 * active_parameters(a);
  };
  BOOST_TEST(scores(AttentionCount::full) == 2 * scores(AttentionCount::causal));
  BOOST_TEST(scores(AttentionCount::full) == 4.0 * 96 * 2048 * 12288);  // 2 products of 2 L s h
  BOOST_TEST(training_flop_per_token(a, 2048, AttentionCount::full).value() ==
             3 * forward_flop_per_token(a, 2048, AttentionCount::full).value());
}

BOOST_AUTO_TEST_CASE(windows_shorten_what_a_token_looks_at) {
  Architecture a = gpt3();
  a.window = 1024;
  a.windowed_layers = 0.75;
  // windowed: 1024 - 1024^2 / (2 * 4096) = 896; open: 2048 causal, 4096 full
  BOOST_TEST(context_tokens(a, 4096, AttentionCount::causal) == 0.75 * 896 + 0.25 * 2048);
  BOOST_TEST(context_tokens(a, 4096, AttentionCount::full) == 0.75 * 1792 + 0.25 * 4096);
  BOOST_TEST(context_tokens(a, 1024, AttentionCount::causal) == 512);  // the window holds the whole sequence
}

BOOST_AUTO_TEST_CASE(prediction_layers_are_layers) {
  Architecture a = deepseek_v3();
  const double without = total_parameters(a);
  a.prediction_layers = 1;
  BOOST_TEST(expert_layers(a) == 59);
  BOOST_TEST(total_parameters(a) - without ==
             attention_parameters(a) + 256 * expert_parameters(a) + shared_parameters(a));
}

BOOST_AUTO_TEST_SUITE_END()
