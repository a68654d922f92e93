/// Batches that memory and limits allow, users who wait, finite queues, loads and speculation.
#include "models/serving/points/point_cursor.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/serving_sweep.hpp"

BOOST_AUTO_TEST_SUITE(point_cursor_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using testing::NamedEstimate;
using testing::serving_decoder;
using testing::serving_sweep;

BOOST_AUTO_TEST_CASE(a_batch_grows_until_memory_or_a_limit_binds) {
  const NamedEstimate memory = serving_sweep().evaluate();
  BOOST_TEST(memory["best_batch"] == memory["max_batch"]);
  BOOST_TEST(serving_sweep().set("batch_limit", 10).evaluate()["best_batch"] == 10);
  BOOST_TEST(serving_sweep().set("concurrency", 7).evaluate()["best_batch"] == 7);
  BOOST_TEST(serving_sweep().set("requests", 5).evaluate()["best_batch"] == 5);
  const double limit = 1.5 * serving_sweep().set("batch", 1).evaluate()["time_per_output_token"];
  const NamedEstimate limited = serving_sweep().set("time_per_output_token_limit", limit).evaluate();
  BOOST_TEST(limited["best_batch"] > 1);
  BOOST_TEST(limited["best_batch"] < memory["best_batch"]);
  BOOST_TEST(limited["time_per_output_token"] <= limit * (1 + 1e-9));
}

// Of an odd number of requests one replica has one more than the other.
BOOST_AUTO_TEST_CASE(replicas_share_requests_in_the_mean) {
  double last = 0;
  for (const double requests : {2, 3, 7, 8, 9}) {
    testing::EstimatorSweep sweep = serving_sweep();
    sweep.set("device_count", 4).set("requests", requests);
    const NamedEstimate chosen = sweep.evaluate();
    BOOST_TEST(chosen["best_batch"] == std::ceil(requests / 2));
    BOOST_TEST(chosen["running_batch"] == requests / 2);
    BOOST_TEST(chosen["request_rate"] == sweep.set("batch", 16).evaluate()["request_rate"]);
    BOOST_TEST(chosen["request_rate"] > last);
    last = chosen["request_rate"];
  }
}

// With or without waiting, the engine's limit holds unless the sweep has its own, smaller or larger.
BOOST_AUTO_TEST_CASE(an_engine_limits_the_batch_unless_the_sweep_does) {
  Entry engine;
  engine.name = "engine";
  engine.numbers = {{"batch_limit", 50}};
  testing::EstimatorSweep sweep = serving_sweep();
  const NamedEstimate free = sweep.evaluate();
  BOOST_TEST(free["best_batch"] > 100);
  const NamedEstimate limited = sweep.set("engine", engine).evaluate();
  BOOST_TEST(limited["best_batch"] == 50);
  BOOST_TEST(limited["request_rate"] <= limited["capacity"] * 1.05);
  BOOST_TEST(free["request_rate"] <= free["capacity"] * 1.05);
  const NamedEstimate fewer = sweep.set("batch_limit", 20).evaluate();
  BOOST_TEST(fewer["best_batch"] == 20);
  const NamedEstimate more = sweep.set("batch_limit", 100).evaluate();
  BOOST_TEST(more["best_batch"] == 100);
  BOOST_TEST(fewer["capacity"] < limited["capacity"]);
  BOOST_TEST(limited["capacity"] < more["capacity"]);
}

// A prompt that arrives while another is computed waits for half of it on average, then takes as long as alone.
BOOST_AUTO_TEST_CASE(a_prompt_beside_others_waits_for_half_a_prompt) {
  const double alone = serving_sweep().set("batch", 1).evaluate()["time_to_first_token"];
  for (const double batch : {2, 8, 64})
    BOOST_TEST(serving_sweep().set("batch", batch).evaluate()["time_to_first_token"] == 1.5 * alone,
               tt::tolerance(1e-12));
}

// Little's law: 16 of 160 users run, the others wait 144 / rate in the steady state. Without others who wait, a place
// is empty while a request is at its client: 3 % fewer tokens.
BOOST_AUTO_TEST_CASE(users_wait_where_there_is_no_place) {
  const auto with = [](double users) {
    return serving_sweep().set("batch_limit", 16).set("concurrency", users).set("requests_per_user", 1e9).evaluate();
  };
  const NamedEstimate few = with(16);
  const NamedEstimate many = with(160);
  BOOST_TEST(many["token_rate"] == few["token_rate"], tt::tolerance(0.03));
  BOOST_TEST(many["running_batch"] <= 16);
  BOOST_TEST(many["users"] == many["request_rate"] * many["request_latency"], tt::tolerance(1e-9));
  BOOST_TEST(many["waiting_time"] - few["waiting_time"] == 144 / many["request_rate"], tt::tolerance(0.05));
}

// The second of two turns carries 110 tokens of the first, half of them on average.
BOOST_AUTO_TEST_CASE(turns_keep_the_tokens_of_former_ones_once) {
  testing::EstimatorSweep turns = serving_sweep();
  turns.set("concurrency", 4).set("prompt_tokens", 100).set("output_tokens", 10).set("turns", 2);
  testing::EstimatorSweep once = serving_sweep();
  once.set("concurrency", 4).set("prompt_tokens", 155).set("output_tokens", 10);
  BOOST_TEST(turns.evaluate()["max_batch"] == once.evaluate()["max_batch"]);
}

BOOST_AUTO_TEST_CASE(a_finite_queue_is_never_faster_than_one_without_end) {
  const NamedEstimate endless = serving_sweep().set("batch", 64).evaluate();
  double last = 0;
  for (const double requests : {64, 640, 64000}) {
    const NamedEstimate finite = serving_sweep().set("batch", 64).set("requests", requests).evaluate();
    BOOST_TEST(finite["token_rate"] <= endless["token_rate"] * (1 + 1e-12));
    BOOST_TEST(finite["token_rate"] >= last * (1 - 1e-12));
    last = finite["token_rate"];
  }
}

BOOST_AUTO_TEST_CASE(shared_prompts_are_computed_and_kept_once) {
  const NamedEstimate apart = serving_sweep().set("batch", 8).evaluate();
  const NamedEstimate shared = serving_sweep().set("batch", 8).set("shared_prompt_tokens", 900).evaluate();
  BOOST_TEST(shared["cache_memory"] / apart["cache_memory"] == (900 + 8 * 300.0) / (8 * 1200), tt::tolerance(1e-12));
  BOOST_TEST(shared["time_to_first_token"] < 0.7 * apart["time_to_first_token"]);
  BOOST_TEST(shared["decode_rate"] == apart["decode_rate"], tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_part_of_the_load_is_a_part_of_the_capacity) {
  const NamedEstimate half = serving_sweep().set("load", 0.5).evaluate();
  BOOST_TEST(half["request_rate"] == 0.5 * half["capacity"], tt::tolerance(1e-3));
  const NamedEstimate most = serving_sweep().set("load", 0.95).evaluate();
  BOOST_TEST(half["running_batch"] < most["running_batch"]);
  BOOST_TEST(half["waiting_time"] < most["waiting_time"]);
  BOOST_TEST(half["time_per_output_token"] < most["time_per_output_token"]);
  const NamedEstimate same = serving_sweep().set("arrival_rate", half["request_rate"]).evaluate();
  BOOST_TEST(same["request_latency"] == half["request_latency"], tt::tolerance(1e-3));
  BOOST_TEST(serving_sweep().set("arrival_rate", 1.01 * half["capacity"]).evaluate().status == "saturated");
}

// The highest rate that keeps a limit keeps it; 2 % more do not.
BOOST_AUTO_TEST_CASE(capacity_is_the_highest_rate_within_the_limits) {
  const auto at = [](double rate) {
    return serving_sweep()
        .set("arrival_rate", rate)
        .set("time_to_first_token_limit", 0.5)
        .set("time_per_output_token_limit", 0.03)
        .evaluate();
  };
  const double most = at(1)["capacity"];
  BOOST_TEST(most > 0);
  BOOST_TEST(at(0.99 * most).status == "ok");
  const std::string broken = at(1.02 * most).status;
  BOOST_TEST((broken == "first_token_limit" || broken == "latency_limit" || broken == "saturated"));
}

namespace {

struct PlatformCase {
  const char* machine;  ///< platform of the system; "": its entry does not say
  std::vector<std::string> engine;
  const char* status;
  const char* reason;
};
const PlatformCase platform_cases[] = {
    {"cuda", {"cuda"}, "ok", "listed"},
    {"rocm", {"cuda"}, "stack_cannot_run", "not listed"},
    {"rocm", {"cuda", "rocm"}, "ok", "one of two"},
    {"", {"cuda"}, "ok", "a machine whose platform is unknown"},
    {"other", {}, "ok", "an engine that lists none"},
};
std::ostream& operator<<(std::ostream& out, const PlatformCase& one) {
  return out << one.reason;
}

}  // namespace

// The engine is given, or named by the software.
BOOST_DATA_TEST_CASE(an_engine_runs_on_the_platforms_that_it_lists, bdata::make(platform_cases)) {
  Entry machine = testing::serving_node();
  if (*sample.machine != 0) machine.texts["platform"] = sample.machine;
  Entry engine;
  engine.name = "engine";
  if (!sample.engine.empty()) engine.text_lists["platforms"] = sample.engine;
  Entry stack;
  stack.name = "stack";
  stack.parts["engine"] = {engine};
  BOOST_TEST(serving_sweep().set("system", machine).set("engine", engine).evaluate().status == sample.status);
  BOOST_TEST(serving_sweep().set("system", machine).set("software", stack).evaluate().status == sample.status);
}

BOOST_AUTO_TEST_CASE(an_unknown_platform_is_a_problem) {
  Entry machine = testing::serving_node();
  machine.texts["platform"] = "cuad";
  BOOST_CHECK_THROW(static_cast<void>(serving_sweep().set("system", machine).evaluate()), InvalidValues);
}

// W13: with speculation every metric is of the served system.
BOOST_AUTO_TEST_CASE(speculation_shows_in_every_metric) {
  testing::EstimatorSweep sweep = serving_sweep();
  sweep.set("concurrency", 4).set("draft_model", serving_decoder("small", 2, 1024)).set("acceptance", 0.9);
  const NamedEstimate plain = sweep.evaluate();
  const NamedEstimate drafted = sweep.set("speculation", "sequence").evaluate();
  BOOST_TEST(drafted["speedup"] > 1.2);
  BOOST_TEST(drafted["time_per_output_token"] < plain["time_per_output_token"] / 1.2);
  BOOST_TEST(drafted["request_latency"] < plain["request_latency"] / 1.2);
  BOOST_TEST(drafted["token_rate"] > 1.2 * plain["token_rate"]);
}

// A draft model has to read the prompt before it drafts, whoever waits.
BOOST_AUTO_TEST_CASE(drafts_begin_after_their_model_has_read_the_prompt) {
  const Entry small = serving_decoder("small", 2, 1024);
  for (const char* const batching : {"in_flight", "static"}) {
    testing::EstimatorSweep sweep = serving_sweep();
    sweep.set("batch", 1).set("batching", batching).set("draft_model", small).set("prompt_tokens", 8000);
    const double plain = sweep.evaluate()["time_to_first_token"];
    const double drafted = sweep.set("speculation", "sequence").evaluate()["time_to_first_token"];
    const double draft = sweep.set("speculation", "none").set("model", small).evaluate()["time_to_first_token"];
    BOOST_TEST(drafted == plain + draft, tt::tolerance(1e-9));
  }
}

// The weights take some 13 GB: two devices of 12 GB have room for them, one has not.
BOOST_AUTO_TEST_CASE(replicas_that_read_prompts_have_a_memory_too) {
  testing::EstimatorSweep sweep = serving_sweep();
  sweep.set("concurrency", 4).set("pools", "separate").set("dram_capacity", 12e9);
  BOOST_TEST(sweep.evaluate().status == "ok");  // two devices of 12 GB hold half of the weights each
  const NamedEstimate one = sweep.set("prefill_tensor_parallel", 1).evaluate();
  BOOST_TEST(one.status == "out_of_memory");
  BOOST_TEST(one["shortfall"] > 1);
  BOOST_TEST(sweep.reason().find("reads prompts") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(separate_pools_need_users_or_a_rate) {
  BOOST_TEST(serving_sweep().set("pools", "separate").evaluate().status == "not_modelled");
}

BOOST_AUTO_TEST_CASE(pools_apart_do_not_stop_answers_for_prompts) {
  testing::EstimatorSweep sweep = serving_sweep();
  sweep.set("concurrency", 64).set("prompt_tokens", 8000);
  const NamedEstimate shared = sweep.evaluate();
  const NamedEstimate apart = sweep.set("pools", "separate").evaluate();
  BOOST_TEST(apart["time_per_output_token"] < shared["time_per_output_token"]);
  BOOST_TEST(apart["system_cost"] == 2 * shared["system_cost"]);
  BOOST_TEST(apart["users"] == apart["request_rate"] * apart["request_latency"], tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(speculation_pays_where_drafts_are_right_and_cheap) {
  const auto with = [](double acceptance, double window) {
    return serving_sweep()
        .set("batch", 1)
        .set("speculation", "sequence")
        .set("draft_model", serving_decoder("small", 2, 1024))
        .set("acceptance", acceptance)
        .set("draft_window", window)
        .evaluate();
  };
  const NamedEstimate none = with(0.8, 0);
  BOOST_TEST(none["acceptance_length"] == 1);
  BOOST_TEST(none["draft_time"] == 0);
  BOOST_TEST(none["speedup"] == 1, tt::tolerance(1e-12));
  BOOST_TEST(with(0, 4)["speedup"] < 1);  // drafts are paid for and never used
  BOOST_TEST(with(0.9, 4)["speedup"] > 1);
  BOOST_TEST(with(0.9, 4)["speculative_rate"] ==
                 with(0.9, 4)["acceptance_length"] / (with(0.9, 4)["draft_time"] + with(0.9, 4)["verification_time"]),
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_tree_drafts_more_and_yields_more) {
  const auto with = [](const char* form, double acceptance) {
    return serving_sweep()
        .set("batch", 1)
        .set("speculation", form)
        .set("draft_model", serving_decoder("small", 2, 1024))
        .set("acceptance", acceptance)
        .set("draft_window", 5)
        .evaluate();
  };
  BOOST_TEST(with("tree", 0.5)["acceptance_length"] > with("sequence", 0.5)["acceptance_length"]);
  BOOST_TEST(with("tree", 0.5)["verification_time"] > with("sequence", 0.5)["verification_time"]);
  BOOST_TEST(with("tree", 1)["acceptance_length"] == with("sequence", 1)["acceptance_length"]);
}

BOOST_AUTO_TEST_CASE(a_static_batch_decodes_all_tokens_but_the_first) {
  const NamedEstimate e = serving_sweep().set("batching", "static").set("batch", 8).evaluate();
  const double total = 8 * 1000 / e["prefill_rate"] + 199 * e["time_per_output_token"];
  BOOST_TEST(e["request_rate"] == 8 / total, tt::tolerance(1e-12));
  BOOST_TEST(e["decode_rate"] == 8 / e["time_per_output_token"], tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_says_how_far) {
  const NamedEstimate found = serving_sweep().set("batch", 2000).evaluate();
  BOOST_TEST(found["shortfall"] == found["memory_used"] / 80e9, tt::tolerance(1e-12));
  BOOST_TEST(found["shortfall"] > 1);
  BOOST_TEST(found["token_rate"] > 0);
  BOOST_TEST(serving_sweep().set("batch", 2000).reason().find("cache") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
