/// Times of prompts and decode steps from costs with round numbers, computed by hand.
#include "models/serving/step/times.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(times_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::serving;

namespace {

struct TouchCase {
  const char* why;
  double experts;
  double per_token;
  double skew;
  double tokens;
  double share;
};
const TouchCase touch_cases[] = {
    {"no token touches nothing", 8, 2, 2, 0, 0},
    {"one token touches its own experts, whatever their popularity", 8, 2, 2, 1, 0.25},
    {"1 - (1 + 16/(8 2))^-2", 8, 2, 2, 8, 0.75},
    {"1 - (1 + 16/8)^-1", 8, 2, 1, 8, 2.0 / 3},
    {"without skew all tokens visit the same", 8, 2, 0, 1000, 0.25},
    {"many tokens touch all", 8, 2, 2, 1e12, 1},
    {"the only expert", 1, 1, 2, 1, 1},
};

struct FullestCase {
  const char* why;
  double groups;
  double tokens;
  double touched;
  double share;
};
const FullestCase fullest_cases[] = {
    {"one group has all", 1, 64, 0.5, 0.5},
    {"16 of 32 are touched: 16 + sqrt(2 16 0.5 ln 8)", 8, 64, 0.5, (16 + std::sqrt(16 * std::log(8.0))) / 32},
    {"no more than there are", 8, 4096, 1, 1},
    {"no more than a token visits", 128, 0.125, 0.3, 0.5},
};

/// Arithmetic of 3 s a token and weights of 4 s: one token takes 5 s. Everything else is zero.
Costs triangle() {
  Costs costs;
  costs.attention = {Seconds{3}, Seconds{4}};
  return costs;
}

struct ProductsCase {
  const char* why;
  double tokens;
  double seconds;
};
const ProductsCase products_cases[] = {
    {"sqrt(3^2 + 4^2)", 1, 5},
    {"sqrt(0^2 + 4^2): weights are read whatever the tokens", 0, 4},
    {"sqrt(300^2 + 4^2): arithmetic alone, nearly", 100, std::sqrt(90016.0)},
};

}  // namespace

BOOST_DATA_TEST_CASE(products_wait_for_arithmetic_and_memory, bdata::make(products_cases)) {
  BOOST_TEST(rank_products_time(triangle(), sample.tokens).value() == sample.seconds, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(half_a_tile_is_lost) {
  Costs costs = triangle();
  costs.half_rows = 2;
  costs.attention.weights = Seconds{0};
  BOOST_TEST(rank_products_time(costs, 2.0).value() == 12.0);  // 3 s for each of 2 tokens and 2 empty rows
}

BOOST_AUTO_TEST_CASE(kinds_of_matrices_add_up) {
  Costs costs = triangle();
  costs.dense = {Seconds{5}, Seconds{12}};
  BOOST_TEST(rank_products_time(costs, 1.0).value() == 5.0 + 13.0, tt::tolerance(1e-12));
}

BOOST_DATA_TEST_CASE(tokens_touch_experts_by_their_popularity, bdata::make(touch_cases)) {
  const ExpertTouch touch = touch_of(sample.experts, sample.per_token, sample.skew, 16, 1);
  BOOST_TEST(touched_experts(touch, sample.tokens) == sample.share, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(many_alike_experts_are_touched_as_by_chance) {
  const double exact = 1 - std::exp(-64 * 8.0 / 256);
  BOOST_TEST(touched_experts(touch_of(256, 8, 1e6, 16, 1), 64.0) == exact, tt::tolerance(1e-5));
}

BOOST_DATA_TEST_CASE(the_fullest_group_touches_more, bdata::make(fullest_cases)) {
  const ExpertTouch touch = touch_of(256, 8, 2, 16, sample.groups);
  BOOST_TEST(fullest_experts(touch, sample.tokens, sample.touched) == sample.share, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(experts_wait_for_their_weights_and_for_empty_rows) {
  Costs costs;
  costs.touch = touch_of(8, 2, 0, 16, 1);
  costs.experts = {Seconds{0}, Seconds{16}};
  BOOST_TEST(expert_products_time(costs, 1.0).value() == 16 * 0.25, tt::tolerance(1e-12));  // 2 of 8
  costs.experts = {Seconds{1}, Seconds{0}};
  // 10 tokens; two of eight experts leave 16 rows empty, as many as 16 tokens that visit two experts each.
  BOOST_TEST(expert_products_time(costs, 10.0).value() == 10 + 16, tt::tolerance(1e-12));
  BOOST_TEST(expert_products_time(costs, 0.0).value() == 0);
}

BOOST_AUTO_TEST_CASE(one_expert_is_a_dense_network) {
  Costs costs;
  costs.experts = {Seconds{3}, Seconds{4}};
  costs.touch = touch_of(1, 1, 2, 0, 1);
  Costs dense;
  dense.dense = costs.experts;
  for (const double tokens : {1.0, 2.0, 100.0})
    BOOST_TEST(expert_products_time(costs, tokens).value() == rank_products_time(dense, tokens).value(),
               tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_decode_step_reads_the_cache_of_every_sequence) {
  Costs costs;
  costs.position = Seconds{0.5};
  costs.output = {Seconds{2}, Seconds{7}};
  costs.logits = Seconds{2};
  costs.host_sequence = Seconds{1};
  const Decode decode{.sequences = 3, .context = 10};
  BOOST_TEST(decode_time(costs, decode).value() == 3 * 10 * 0.5 + 7 + 3 * 2 + 3 * 1);
  // Four tokens take longer in the output layer, 4 * 2 s, than reading it.
  BOOST_TEST(decode_time(costs, {.sequences = 4, .context = 10}).value() == 4 * 10 * 0.5 + 8 + 4 * 2 + 4 * 1);
}

BOOST_AUTO_TEST_CASE(verified_tokens_share_the_cache_but_not_the_logits) {
  Costs costs;
  costs.position = Seconds{1};
  costs.logits = Seconds{1};
  costs.exchange = Seconds{10};
  const Decode decode{.sequences = 2, .context = 100, .step_tokens = 5};
  BOOST_TEST(decode_time(costs, decode).value() == 2 * 100 + 10 * 1 + 10 * 10);
}

BOOST_AUTO_TEST_CASE(many_verified_tokens_wait_for_arithmetic) {
  Costs costs;
  costs.position = Seconds{1};
  costs.decode_pair = Seconds{0.25};  // from five tokens on, scores take longer than the cache that they share
  const auto step = [&](double tokens) { return decode_time(costs, {.context = 100, .step_tokens = tokens}).value(); };
  BOOST_TEST(step(1) == 100);
  BOOST_TEST(step(4) == 100);
  BOOST_TEST(step(8) == 200);
  const Parts parts = decode_parts(costs, Decode{.context = 100, .step_tokens = 8});
  BOOST_TEST(parts.compute.value() == 200);
  BOOST_TEST(parts.memory.value() == 100);
}

BOOST_AUTO_TEST_CASE(windowed_layers_read_their_window) {
  Costs costs;
  costs.window = 100;
  costs.windowed_layers = 0.75;
  BOOST_TEST(positions_read(costs, 1000) == 0.25 * 1000 + 0.75 * 100);
  BOOST_TEST(positions_read(costs, 50) == 50);
}

BOOST_AUTO_TEST_CASE(stages_hold_groups_of_sequences) {
  Costs costs;
  costs.pipeline = 4;
  BOOST_TEST(stage_sequences(costs, Decode{.sequences = 8}) == 2);
  BOOST_TEST(stage_sequences(costs, Decode{.sequences = 1}) == 1);  // a stage has at least one
}

BOOST_AUTO_TEST_CASE(a_prompt_attends_to_half_of_itself_and_to_what_is_shared) {
  Costs costs;
  costs.pair = Seconds{1};
  BOOST_TEST(prompt_work(costs, Prompts{.count = 1, .tokens = 10, .chunk = 100}).value() == 10 * 5);
  BOOST_TEST(prompt_work(costs, Prompts{.count = 2, .tokens = 10, .shared = 100, .chunk = 100}).value() == 20 * 105);
  costs.window = 2;
  costs.windowed_layers = 1;
  BOOST_TEST(prompt_work(costs, Prompts{.count = 1, .tokens = 10, .chunk = 100}).value() == 10 * 2);
}

BOOST_AUTO_TEST_CASE(a_prompt_is_read_by_one_rank) {
  Costs costs;
  costs.ranks = 8;
  costs.attention.token = Seconds{1};
  const auto work = [&](double count, double chunk) {
    return prompt_work(costs, Prompts{.count = count, .tokens = 10, .chunk = chunk}).value();
  };
  BOOST_TEST(work(1, 100) == 10);    // seven ranks have nothing to do
  BOOST_TEST(work(8, 100) == 10);    // one prompt each
  BOOST_TEST(work(80, 100) == 100);  // ten prompts each
  BOOST_TEST(work(80, 20) == 100);   // five steps of two prompts
}

BOOST_AUTO_TEST_CASE(experts_have_the_tokens_of_all_ranks) {
  Costs costs;
  costs.ranks = 8;
  costs.touch = touch_of(8, 2, 2, 0, 1);
  costs.experts.token = Seconds{1};
  BOOST_TEST(prompt_work(costs, Prompts{.count = 16, .tokens = 10, .chunk = 100}).value() == 160);
  BOOST_TEST(decode_time(costs, {.sequences = 16, .context = 0}).value() == 16);
}

BOOST_AUTO_TEST_CASE(a_rank_that_sends_alone_is_waited_for) {
  Costs costs;
  costs.ranks = 8;
  costs.exchange = Seconds{1};
  const auto work = [&](double count) {
    return prompt_work(costs, Prompts{.count = count, .tokens = 10, .chunk = 100}).value();
  };
  BOOST_TEST(work(1) == 10);   // its links carry ten tokens while the others are idle
  BOOST_TEST(work(8) == 10);   // the links of all ranks carry ten each
  BOOST_TEST(work(16) == 20);  // and twenty
}

BOOST_AUTO_TEST_CASE(indexers_look_at_what_attention_skips) {
  Costs costs;
  costs.position = Seconds{1};
  costs.index_position = Seconds{0.25};
  costs.index_pair = Seconds{0.125};
  costs.pair = Seconds{1};
  costs.window = 100;
  costs.windowed_layers = 1;
  BOOST_TEST(decode_time(costs, {.sequences = 2, .context = 1000}).value() == 2 * (100 + 250));
  BOOST_TEST(prompt_work(costs, Prompts{.count = 1, .tokens = 1000, .chunk = 1000}).value() ==
             1000 * (100 + 500 * 0.125));
}

BOOST_AUTO_TEST_CASE(states_are_read_for_each_sequence) {
  Costs costs;
  costs.state = Seconds{3};
  BOOST_TEST(decode_time(costs, {.sequences = 4, .context = 1000}).value() == 12);
}

BOOST_AUTO_TEST_CASE(every_chunk_reads_weights_and_is_launched) {
  Costs costs;
  costs.attention.weights = Seconds{4};
  costs.host = Seconds{1};
  BOOST_TEST(prompt_work(costs, Prompts{.count = 1, .tokens = 100, .chunk = 100}).value() == 5);
  BOOST_TEST(prompt_work(costs, Prompts{.count = 1, .tokens = 100, .chunk = 25}).value() == 4 * 5);
}

BOOST_AUTO_TEST_CASE(launches_hide_behind_long_prompts) {
  Costs costs;
  costs.host = Seconds{2};
  costs.prompt_launch = Seconds{1};
  const Prompts prompts{.count = 1, .tokens = 1, .chunk = 1};
  BOOST_TEST(prompt_work(costs, prompts).value() == std::pow(17.0, 0.25), tt::tolerance(1e-12));  // 2^4 + 1^4
}

BOOST_AUTO_TEST_CASE(a_lone_prompt_waits_for_all_stages) {
  Costs costs;
  costs.pipeline = 4;
  costs.pair = Seconds{1};
  const Prompts one_chunk{.count = 1, .tokens = 8, .chunk = 8};
  BOOST_TEST(prefill_time(costs, one_chunk).value() == 32.0 / 4);
  BOOST_TEST(lone_prefill_time(costs, one_chunk).value() == 32.0);
  const Prompts two_chunks{.count = 1, .tokens = 8, .chunk = 4};
  BOOST_TEST(lone_prefill_time(costs, two_chunks).value() == 32.0 * 5 / 8);  // (2 + 4 - 1) / (2 * 4)
}

BOOST_AUTO_TEST_CASE(parts_are_those_of_the_time) {
  Costs costs = triangle();
  costs.output.weights = Seconds{1};
  costs.exchange_step = Seconds{2};
  costs.host = Seconds{6};
  const Parts parts = decode_parts(costs, Decode{.sequences = 1, .context = 1});
  BOOST_TEST(parts.compute.value() == 3);
  BOOST_TEST(parts.memory.value() == 4 + 1);
  BOOST_TEST(parts.network.value() == 2);
  BOOST_TEST(parts.host.value() == 6);
}

BOOST_AUTO_TEST_SUITE_END()
