/// Simulated runs: hand-computed schedules, and properties of runs drawn at random.
#include "models/queueing/vidur/simulation.hpp"

#include <boost/test/unit_test.hpp>

#include "models/queueing/vidur/generators.hpp"
#include "models/queueing/vidur/summary.hpp"
#include "models/statistics/random.hpp"

BOOST_AUTO_TEST_SUITE(simulation_test)

using namespace dfsweep;
using namespace dfsweep::vidur;

namespace {

/// Every batch takes one second on every stage.
struct SecondClock {
  [[nodiscard]] Seconds operator()(const BatchView&, std::uint32_t) const { return Seconds{1.0}; }
};
/// One second, and a millisecond for every token; contexts count a little.
struct TokenClock {
  [[nodiscard]] Seconds operator()(const BatchView& batch, std::uint32_t) const {
    return Seconds{1.0 + 1e-3 * static_cast<double>(batch.sums().tokens) +
                   1e-7 * static_cast<double>(batch.sums().before)};
  }
};
/// The same from the requests of the batch, one by one.
struct MemberClock {
  [[nodiscard]] Seconds operator()(const BatchView& batch, std::uint32_t) const {
    double tokens = 0.0;
    double before = 0.0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      tokens += batch[i].tokens;
      before += batch[i].before;
    }
    return Seconds{1.0 + 1e-3 * tokens + 1e-7 * before};
  }
};

Rules rules_of(Scheduler scheduler, std::uint32_t blocks = 1000) {
  Rules rules;
  rules.scheduler = scheduler;
  rules.blocks = blocks;
  rules.block_tokens = scheduler == Scheduler::lightllm ? 1 : 16;
  rules.reserved_limit = 8;
  rules.request_tokens = 256;
  rules.chunk_tokens = 64;
  return rules;
}

constexpr Scheduler all_schedulers[] = {Scheduler::vllm, Scheduler::sarathi, Scheduler::orca,
                                        Scheduler::fastertransformer, Scheduler::lightllm};

/// One request of 10 tokens with D output tokens: the prompt and the first token take one batch, each other token one.
struct SingleCase {
  std::uint32_t output;
  double completed;
  const char* reason;
};
const SingleCase single_cases[] = {
    {1, 6.0, "the batch of the prompt also gives the only output token"},
    {2, 7.0, "one decode"},
    {20, 25.0, "nineteen decodes"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_single_request_takes_one_batch_for_each_output_token) {
  for (const Scheduler scheduler : all_schedulers)
    for (const SingleCase& expected : single_cases) {
      const std::vector<OfferedRequest> offered{{Seconds{5.0}, 10, expected.output}};
      const RunRecord record = simulate(rules_of(scheduler), offered, SecondClock{});
      BOOST_TEST_CONTEXT(scheduler_names[static_cast<std::size_t>(scheduler)] << ": " << expected.reason) {
        BOOST_TEST((record.ending == Ending::complete));
        BOOST_TEST(record.times[0].scheduled_at == 5.0);
        BOOST_TEST(record.times[0].prompt_completed_at == 6.0);
        BOOST_TEST(record.times[0].completed_at == expected.completed);
        BOOST_TEST(record.batch_count == expected.output);
      }
    }
}

BOOST_AUTO_TEST_CASE(stages_work_one_after_the_other) {
  Rules rules = rules_of(Scheduler::vllm);
  rules.stages = 3;
  const std::vector<OfferedRequest> offered{{Seconds{0.0}, 10, 3}};
  const RunRecord record = simulate(rules, offered, SecondClock{}, {.request_parts = true});
  BOOST_TEST(record.times[0].prompt_completed_at == 3.0);
  BOOST_TEST(record.times[0].completed_at == 9.0);
  BOOST_TEST(record.parts[0].execution == 9.0);
  BOOST_TEST(record.parts[0].waiting == 0.0);
}

BOOST_AUTO_TEST_CASE(chunks_of_a_prompt_share_the_budget_with_decodes) {
  // 64 tokens per batch: 100 = 64 + 36. The second request finds 28 of the second batch left, then decodes take one
  // each.
  const std::vector<OfferedRequest> offered{{Seconds{0.0}, 100, 3}, {Seconds{0.5}, 60, 2}};
  const RunRecord record = simulate(rules_of(Scheduler::sarathi), offered, SecondClock{}, {.batches = true});
  const std::vector<std::uint64_t> expected{64, 36 + 28, 1 + 32, 1 + 1};
  BOOST_TEST_REQUIRE(record.batches.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) BOOST_TEST(record.batches[i].tokens == expected[i]);
}

BOOST_AUTO_TEST_CASE(padded_prompts_limit_a_batch_of_vllm) {
  Rules rules = rules_of(Scheduler::vllm);
  rules.prompt_tokens = 100;
  const std::vector<OfferedRequest> offered{{Seconds{0.0}, 50, 2}, {Seconds{0.0}, 20, 2}, {Seconds{0.0}, 20, 2}};
  const RunRecord record = simulate(rules, offered, SecondClock{}, {.batches = true});
  BOOST_TEST_REQUIRE(record.batches.size() >= 2);
  BOOST_TEST(record.batches[0].requests == 2);  // 3 requests of 50 tokens would be 150
  BOOST_TEST(record.batches[1].requests == 1);
}

BOOST_AUTO_TEST_CASE(the_youngest_request_is_restarted_where_blocks_run_out) {
  Rules rules = rules_of(Scheduler::vllm, 4);
  rules.watermark = 0.0;
  const std::vector<OfferedRequest> offered{{Seconds{0.0}, 16, 30}, {Seconds{0.0}, 16, 30}};
  const RunRecord record = simulate(rules, offered, SecondClock{});
  BOOST_TEST((record.ending == Ending::complete));
  BOOST_TEST(record.requests[0].restarts == 0);
  BOOST_TEST(record.requests[1].restarts > 0);
  BOOST_TEST(record.times[0].completed_at < record.times[1].completed_at);
}

BOOST_AUTO_TEST_CASE(runs_that_cannot_end_say_why) {
  const std::vector<OfferedRequest> long_prompt{{Seconds{0.0}, 5000, 2}};
  BOOST_TEST((simulate(rules_of(Scheduler::vllm), long_prompt, SecondClock{}).ending == Ending::not_empty));
  const std::vector<OfferedRequest> unequal{{Seconds{0.0}, 10, 2}, {Seconds{0.0}, 10, 5}};
  const RunRecord leak = simulate(rules_of(Scheduler::fastertransformer), unequal, SecondClock{});
  BOOST_TEST((leak.ending == Ending::not_empty));
  BOOST_TEST(leak.times[1].completed_at == 5.0);  // both complete, but the blocks of the first are never freed
  struct NoTime {
    Seconds operator()(const BatchView&, std::uint32_t) const { return Seconds{absent}; }
  };
  BOOST_TEST((simulate(rules_of(Scheduler::orca), unequal, NoTime{}).ending == Ending::no_time));
  Rules limited = rules_of(Scheduler::sarathi);
  limited.time_limit = Seconds{3.0};
  const RunRecord stopped = simulate(limited, unequal, SecondClock{});
  BOOST_TEST((stopped.ending == Ending::time_limit));
  BOOST_TEST(stopped.times[0].completed_at == 2.0);
  BOOST_TEST(!is_given(stopped.times[1].completed_at));
}

BOOST_AUTO_TEST_CASE(replicas_are_chosen_by_the_routing) {
  std::vector<OfferedRequest> offered;
  for (int i = 0; i < 6; ++i) offered.push_back({Seconds{10.0 * i}, 10, 2});
  Rules rules = rules_of(Scheduler::vllm);
  rules.replicas = 3;
  const auto replicas = [&](Routing routing) {
    rules.routing = routing;
    std::string text;
    for (const RequestParts& parts : simulate(rules, offered, SecondClock{}, {.request_parts = true}).parts)
      text += std::to_string(parts.replica);
    return text;
  };
  BOOST_TEST(replicas(Routing::round_robin) == "012012");
  BOOST_TEST(replicas(Routing::least_outstanding) == "000000");  // running requests do not count
  // Python: random.seed(42); [random.randint(1, 3) - 1 for _ in range(6)]
  BOOST_TEST(replicas(Routing::random) == "200210");
}

namespace {

struct DrawnRun {
  Rules rules;
  std::vector<OfferedRequest> offered;
};

DrawnRun drawn_run(std::uint64_t number) {
  const CounterRandom random(number);
  std::uint64_t k = 0;
  const auto below = [&](std::uint64_t bound) {
    return static_cast<std::uint32_t>(random_below(random.at(k++), bound));
  };
  DrawnRun run;
  run.rules = rules_of(all_schedulers[below(5)]);
  const bool is_lightllm = run.rules.scheduler == Scheduler::lightllm;
  run.rules.stages = is_lightllm ? 1 : 1 + below(3);
  run.rules.replicas = 1 + below(3);
  run.rules.routing = static_cast<Routing>(below(3));
  run.rules.blocks = (40 + below(200)) * (is_lightllm ? 16 : 1);
  run.rules.batch_limit = 3 + below(30);
  run.rules.block_tokens = is_lightllm ? 1 : 1 + below(32);
  run.rules.watermark = 0.05 * below(3);
  run.rules.chunk_tokens = 1 + below(200);
  double now = 0.0;
  for (std::uint32_t i = 0; i < 40; ++i) {
    if (below(3) > 0) now += 3.0 * random.uniform(k++);
    run.offered.push_back({Seconds{now}, 1 + below(150), 1 + below(60)});
  }
  return run;
}

constexpr std::uint64_t drawn_runs = 400;

}  // namespace

BOOST_AUTO_TEST_CASE(every_request_completes_or_the_run_says_why) {
  std::size_t complete = 0;
  for (std::uint64_t number = 0; number < drawn_runs; ++number) {
    const DrawnRun run = drawn_run(number);
    const RunRecord record = simulate(run.rules, run.offered, TokenClock{}, {.request_parts = true, .batches = true});
    std::vector<std::uint64_t> tokens(run.offered.size());
    for (const BatchMemberRecord& member : record.members) tokens[member.request] += member.tokens;
    complete += record.ending == Ending::complete ? 1 : 0;
    BOOST_TEST_CONTEXT("run " << number) {
      for (std::size_t i = 0; i < run.offered.size(); ++i) {
        const RequestTimes& times = record.times[i];
        const bool is_complete = is_given(times.completed_at);
        if (record.ending == Ending::complete) BOOST_TEST(is_complete);
        if (!is_complete) continue;
        BOOST_TEST(times.arrival <= times.scheduled_at);
        BOOST_TEST(times.scheduled_at < times.prompt_completed_at);
        BOOST_TEST(times.prompt_completed_at <= times.completed_at);
        BOOST_TEST(record.parts[i].waiting >= 0.0);
        // The last output token is not processed; a restart processes again what was in the cache.
        const std::uint64_t needed = run.offered[i].prompt + run.offered[i].output - 1;
        if (record.requests[i].restarts == 0)
          BOOST_TEST(tokens[i] == needed);
        else
          BOOST_TEST(tokens[i] >= needed);
      }
    }
  }
  BOOST_TEST(complete > drawn_runs / 2);
}

BOOST_AUTO_TEST_CASE(batches_keep_their_limits_and_do_not_overlap) {
  for (std::uint64_t number = 0; number < drawn_runs; ++number) {
    const DrawnRun run = drawn_run(number);
    const RunRecord record = simulate(run.rules, run.offered, TokenClock{}, {.batches = true});
    std::vector<double> last_end(run.rules.replicas, 0.0);
    double last_start = 0.0;
    for (const BatchRecord& batch : record.batches) {
      BOOST_TEST(batch.requests <= run.rules.batch_limit, "run " << number);
      BOOST_TEST(batch.scheduled_at >= last_start, "run " << number);  // numbered in the order of creation
      last_start = batch.scheduled_at;
      if (run.rules.stages > 1 || !is_given(batch.completed_at)) continue;
      BOOST_TEST(batch.scheduled_at >= last_end[batch.replica], "run " << number);
      last_end[batch.replica] = batch.completed_at;
    }
  }
}

/// Recording batches cuts the steady steps where other replicas have events, so this also compares ways of stepping.
BOOST_AUTO_TEST_CASE(recording_changes_no_time) {
  for (std::uint64_t number = 0; number < drawn_runs; ++number) {
    const DrawnRun run = drawn_run(number);
    const RunRecord bare = simulate(run.rules, run.offered, TokenClock{}, {.samples = false});
    const RunRecord full = simulate(run.rules, run.offered, MemberClock{}, {.request_parts = true, .batches = true});
    BOOST_TEST(bare.batch_count == full.batch_count, "run " << number);
    BOOST_TEST(bare.restarts == full.restarts, "run " << number);
    for (std::size_t i = 0; i < run.offered.size(); ++i) {
      const bool is_same = bare.times[i].completed_at == full.times[i].completed_at ||
                           (!is_given(bare.times[i].completed_at) && !is_given(full.times[i].completed_at));
      BOOST_TEST(is_same, "run " << number << " request " << i);
    }
  }
}

BOOST_AUTO_TEST_CASE(requests_far_apart_do_not_wait) {
  for (const Scheduler scheduler : all_schedulers) {
    std::vector<OfferedRequest> offered;
    for (int i = 0; i < 5; ++i) offered.push_back({Seconds{1000.0 * i}, 50, 20});
    const RunRecord record = simulate(rules_of(scheduler), offered, TokenClock{});
    for (std::size_t i = 0; i < offered.size(); ++i) {
      BOOST_TEST(record.times[i].scheduled_at == record.times[i].arrival);
      BOOST_TEST(record.times[i].completed_at - record.times[i].arrival ==
                     record.times[0].completed_at - record.times[0].arrival,
                 boost::test_tools::tolerance(1e-9));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
