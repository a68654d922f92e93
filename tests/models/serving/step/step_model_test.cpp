/// StepModel against the formulas of prompts and decode steps, hand-computed stages and drafts, and its properties on
/// random loads.
#include "models/serving/step/step_model.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "models/statistics/random.hpp"
#include "tests/support/serving_replica.hpp"

BOOST_AUTO_TEST_SUITE(step_model_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::serving;
using dfsweep::testing::large_replica;
using dfsweep::testing::small_experts;
using queueing::StepLoad;

static_assert(queueing::Steps<StepModel>);

namespace {

double step_of(const StepModel& model, const StepLoad& rank) {
  return queueing::even_step_time(model, model.ranks(), rank).value();
}

/// 256 experts, 8 for each token, with an indexer and half of the layers of linear attention.
Architecture all_parts() {
  Architecture a = small_experts();
  a.experts = {.count = 256, .per_token = 8, .ffn_hidden = 512};
  a.indexer = {.heads = 4, .head_dim = 64, .positions = 512};
  a.linear = {.layers = 2, .key_heads = 4, .key_dim = 64, .value_heads = 8, .value_dim = 64};
  return a;
}

std::vector<Replica> replicas() {
  std::vector<Replica> all;
  for (const double pipeline : {1.0, 4.0})
    for (const double ranks : {1.0, 4.0})
      for (const double expert : {1.0, 8.0}) {
        Replica r = large_replica(2);
        r.model = served(all_parts());
        r.pipeline = pipeline;
        r.attention_data = ranks;
        r.expert = expert;
        all.push_back(r);
      }
  all.push_back(large_replica());
  return all;
}

Costs draft_costs() {
  Replica r = large_replica();
  r.model = served(small_experts());
  return costs_of(r);
}

/// A load with parts at random, each absent in one of four.
StepLoad random_load(std::uint64_t draw) {
  const CounterRandom random(draw);
  const auto unit = [&](std::uint64_t part) { return random.uniform(part); };
  const auto some = [&](std::uint64_t part, double most) {
    return unit(2 * part) < 0.25 ? 0.0 : std::exp(unit(2 * part + 1) * std::log(most));
  };
  StepLoad load;
  load.prompt_tokens = some(0, 16384);
  load.prompt_pairs = load.prompt_tokens * unit(20) * 8192;
  load.prompts = load.prompt_tokens > 0 ? unit(21) * 8 : 0.0;
  load.sequences = some(1, 1024);
  load.context = load.sequences * unit(22) * 32768;
  return load;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_step_without_prompts_is_a_decode_step) {
  for (const Replica& replica : replicas()) {
    const Costs costs = costs_of(replica);
    const StepModel model(costs);
    const double sequences = 16 * costs.ranks * costs.pipeline;
    const StepLoad rank{.sequences = 16 * costs.pipeline, .context = 16 * costs.pipeline * 1000};
    const Decode decode{.sequences = sequences, .context = 1000};
    BOOST_TEST(step_of(model, rank) == decode_time(costs, decode).value(), tt::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(a_step_without_sequences_is_a_chunk_of_prompts) {
  for (const Replica& replica : replicas()) {
    const Costs costs = costs_of(replica);
    const Prompts prompts{.count = 2 * costs.ranks, .tokens = 1000, .chunk = 4096};
    const StepLoad rank{.prompt_tokens = 2000, .prompt_pairs = 2000 * 500, .prompts = 2};
    BOOST_TEST(step_of(StepModel(costs), rank) == prefill_time(costs, prompts).value(), tt::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(prompts_and_sequences_read_weights_once) {
  Costs costs;
  costs.attention.weights = Seconds{4};
  costs.host = Seconds{1};
  const StepModel model(costs);
  BOOST_TEST(step_of(model, {.prompt_tokens = 10, .sequences = 3}) == 5);
}

BOOST_AUTO_TEST_CASE(a_step_with_prompts_is_launched_without_a_graph) {
  Costs costs;
  costs.host = Seconds{2};
  costs.prompt_launch = Seconds{1};
  const StepModel model(costs);
  BOOST_TEST(step_of(model, {.prompt_tokens = 1, .sequences = 1}) == std::pow(17.0, 0.25), tt::tolerance(1e-12));
  BOOST_TEST(step_of(model, {.sequences = 1}) == 2);
}

BOOST_AUTO_TEST_CASE(the_slowest_rank_is_waited_for) {
  Costs costs;
  costs.ranks = 2;
  costs.position = Seconds{1};
  costs.exchange = Seconds{10};
  const StepModel model(costs);
  const StepLoad full{.sequences = 2, .context = 200};
  const StepLoad empty{};
  BOOST_TEST((model.rank_time(full) > model.rank_time(empty)));
  BOOST_TEST(model.step_time(model.rank_time(full), full + empty).value() == 200 + 20);
}

BOOST_AUTO_TEST_CASE(one_of_the_groups_in_a_pipeline_reads_the_prompts) {
  Costs costs;
  costs.pipeline = 4;
  costs.attention.weights = Seconds{8};
  costs.pair = Seconds{1};
  costs.position = Seconds{1};
  const StepModel model(costs);
  const StepLoad load{.prompt_tokens = 10, .prompt_pairs = 40, .sequences = 8, .context = 80};
  // Two sequences of a group read 20 positions: a pass of 28 s, with the prompts of 68 s.
  BOOST_TEST(step_of(model, load) == (68.0 + 3 * 28) / 4);
  BOOST_TEST(model.fill_time(load).value() == 68 - 28 - (68.0 - 28) / 4);
  BOOST_TEST(model.fill_time({.sequences = 8}).value() == 0);
}

BOOST_AUTO_TEST_CASE(a_draft_precedes_its_verification) {
  Costs target;
  target.host = Seconds{10};
  target.exchange = Seconds{1};
  Costs draft;
  draft.host = Seconds{2};
  const StepModel model(
      target, {.form = Speculation::sequence, .window = 3, .verified_tokens = 4, .accepted_tokens = 2.5}, draft);
  BOOST_TEST(model.tokens_per_step() == 2.5);
  BOOST_TEST(step_of(model, {.sequences = 2}) == 3 * 2 + 10 + 2 * 4 * 1);
  BOOST_TEST(step_of(model, {.prompt_tokens = 5, .prompts = 1}) == 2 + 10 + 5);  // the draft reads prompts too
  const StepModel tree(target, {.form = Speculation::tree, .window = 4, .verified_tokens = 16}, draft);
  BOOST_TEST(step_of(tree, {.sequences = 1}) == 4 * 2 + 10 + 16);
}

BOOST_AUTO_TEST_CASE(speculation_without_drafts_changes_nothing) {
  const Costs costs = costs_of(large_replica());
  const StepModel plain(costs);
  const StepModel none(costs, {}, draft_costs());
  const StepLoad load{.prompt_tokens = 100, .prompt_pairs = 5000, .prompts = 1, .sequences = 8, .context = 8000};
  BOOST_TEST(step_of(plain, load) == step_of(none, load));
}

BOOST_AUTO_TEST_CASE(parts_are_not_shorter_than_the_step_together) {
  for (const Replica& replica : replicas())
    for (std::uint64_t draw = 0; draw < 50; ++draw) {
      const StepModel model(costs_of(replica));
      const StepLoad load = random_load(draw);
      const Parts parts = model.step_parts(load);
      const Seconds sum = parts.compute + parts.memory + parts.network + parts.host;
      BOOST_TEST(sum.value() >= step_of(model, load) * (1 - 1e-12));
    }
}

BOOST_AUTO_TEST_CASE(flop_are_those_of_prompts_and_decode_steps) {
  const Costs costs = costs_of(large_replica());
  const StepModel model(costs);
  const StepLoad decoding{.sequences = 8, .context = 8000};
  BOOST_TEST(model.step_flop(decoding).value() == decode_flop(costs, Decode{.sequences = 8, .context = 1000}).value(),
             tt::tolerance(1e-12));
  const StepLoad reading{.prompt_tokens = 2000, .prompt_pairs = 2000 * 500};
  BOOST_TEST(model.step_flop(reading).value() ==
                 prompt_flop(costs, Prompts{.count = 2, .tokens = 1000, .chunk = 4096}).value(),
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(no_step_becomes_faster_with_more_load) {
  double StepLoad::*const numbers[] = {&StepLoad::prompt_tokens, &StepLoad::prompt_pairs, &StepLoad::prompts,
                                       &StepLoad::sequences, &StepLoad::context};
  for (const Replica& replica : replicas()) {
    const Costs costs = costs_of(replica);
    const StepModel models[] = {
        StepModel(costs),
        StepModel(costs, {.form = Speculation::tree, .window = 3, .verified_tokens = 8, .accepted_tokens = 2},
                  draft_costs())};
    for (const StepModel& model : models)
      for (std::uint64_t draw = 0; draw < 100; ++draw) {
        const StepLoad load = random_load(draw);
        for (double StepLoad::*const number : numbers) {
          StepLoad more = load;
          more.*number = 1.1 * load.*number + 0.01;
          // Further sequences have the context of the others, since a stage with fewer than one has a whole one.
          if (number == &StepLoad::sequences && load.sequences > 0) more.context *= more.sequences / load.sequences;
          BOOST_TEST(step_of(model, more) >= step_of(model, load) * (1 - 1e-12));
        }
      }
  }
}

BOOST_AUTO_TEST_CASE(times_are_linear_in_context_and_pairs) {
  const StepModel model(costs_of(large_replica()));
  for (std::uint64_t draw = 0; draw < 100; ++draw) {
    StepLoad load = random_load(draw);
    load.prompt_tokens = load.prompt_pairs = load.prompts = 0;
    StepLoad twice = load, middle = load;
    twice.context = 3 * load.context;
    middle.context = 2 * load.context;
    BOOST_TEST(step_of(model, middle) == (step_of(model, load) + step_of(model, twice)) / 2, tt::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(one_rank_with_experts_that_are_cut_is_the_plain_formula) {
  Replica replica = large_replica();
  replica.model = served(small_experts());
  replica.efficiency.matrix.skew = 1e9;
  const Costs costs = costs_of(replica);
  const StepLoad load{.sequences = 64, .context = 64000};
  const double touched = 1 - std::exp(-64 * 2.0 / 8);
  const double experts =
      std::hypot((64 + 16 * 4 * touched) * costs.experts.token.value(), touched * costs.experts.weights.value());
  const double rest = (rank_pass_time(costs, load, 1) + shared_rest_time(costs)).value();
  BOOST_TEST(step_of(StepModel(costs), load) == experts + rest, tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_SUITE_END()
