/// Vidur's own runs with batch times in closed form: all times have the same bits, and all batches are the same.
#include "models/queueing/vidur/simulation.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/queueing/vidur/capacity.hpp"
#include "models/queueing/vidur/summary.hpp"
#include "tests/support/vidur_runs.hpp"

BOOST_AUTO_TEST_SUITE(vidur_simulator_test)

using namespace dfsweep;
using namespace dfsweep::testing;

namespace {

constexpr const char* golden_folder = DFSWEEP_GOLDEN_DIR;

struct GoldenRun {
  std::string id;
  vidur::Rules rules;
  std::vector<vidur::OfferedRequest> offered;
  vidur::RunRecord record;
};

/// All runs in closed form, by the row of sim_runs.csv.
const std::map<std::size_t, GoldenRun>& closed_form_runs() {
  static const std::map<std::size_t, GoldenRun> runs = [] {
    const VidurTraces traces = vidur_traces(vidur_golden(golden_folder, "sim_traces.csv"), "arrived_at_s");
    const GoldenTable table = vidur_golden(golden_folder, "sim_runs.csv");
    std::map<std::size_t, GoldenRun> all;
    for (std::size_t row = 0; row < table.size(); ++row) {
      if (table.text(row, "predictor") != "closed_form") continue;
      GoldenRun& run = all[row];
      run.id = table.text(row, "run_id");
      run.rules = vidur_rules(table, row, table.number(row, "num_blocks_used"), table.number(row, "max_batch_size"));
      run.offered = traces.at(table.text(row, "trace_id"));
      run.record = vidur::simulate(run.rules, run.offered, ClosedFormClock{run.rules.stages},
                                   {.samples = true, .request_parts = true, .batches = true});
    }
    return all;
  }();
  return runs;
}

const GoldenRun* run_named(const std::string& id) {
  for (const auto& [row, run] : closed_form_runs())
    if (run.id == id) return &run;
  return nullptr;
}

/// Equal bits, or both missing.
bool is_same(double ours, double golden) {
  return ours == golden || (std::isnan(ours) && std::isnan(golden));
}

std::string members_of(const vidur::RunRecord& record, const vidur::BatchRecord& batch) {
  std::string text;
  for (std::uint64_t m = batch.first_member; m < batch.first_member + batch.requests; ++m)
    text += (text.empty() ? "" : ";") + std::to_string(record.members[m].request) + ":" +
            std::to_string(record.members[m].tokens);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_runs_are_there) {
  BOOST_TEST(closed_form_runs().size() == 61);
}

BOOST_AUTO_TEST_CASE(times_of_requests_have_the_same_bits) {
  const GoldenTable table = vidur_golden(golden_folder, "sim_request_results.csv");
  std::size_t compared = 0;
  for (std::size_t row = 0; row < table.size(); ++row) {
    const GoldenRun* run = run_named(table.text(row, "run_id"));
    if (run == nullptr || table.text(row, "replica").empty()) continue;
    const auto request = static_cast<std::size_t>(table.number(row, "request"));
    const vidur::RequestTimes& times = run->record.times[request];
    const vidur::RequestParts& parts = run->record.parts[request];
    const std::string what = run->id + " request " + std::to_string(request);
    BOOST_TEST(parts.replica == table.number(row, "replica"), what);
    BOOST_TEST(is_same(times.prompt_completed_at, table.number(row, "prefill_completed_at_s")), what);
    BOOST_TEST(is_same(times.completed_at, table.number(row, "completed_at_s")), what);
    if (table.text(row, "scheduled_at_s").empty()) continue;
    BOOST_TEST(times.scheduled_at == table.number(row, "scheduled_at_s"), what);
    BOOST_TEST(parts.execution == table.number(row, "execution_time_s"), what);
    BOOST_TEST(parts.waiting == table.number(row, "preempted_time_s"), what);
    BOOST_TEST(run->record.requests[request].restarts == table.number(row, "restarts"), what);
    ++compared;
  }
  BOOST_TEST(compared > 8000);
}

BOOST_AUTO_TEST_CASE(batches_are_the_same) {
  const GoldenTable table = vidur_golden(golden_folder, "sim_batches.csv");
  for (std::size_t row = 0; row < table.size(); ++row) {
    const GoldenRun* run = run_named(table.text(row, "run_id"));
    BOOST_TEST_REQUIRE(run != nullptr);
    const auto number = static_cast<std::size_t>(table.number(row, "batch"));
    const std::string what = run->id + " batch " + std::to_string(number);
    BOOST_TEST_REQUIRE(number < run->record.batches.size(), what);
    const vidur::BatchRecord& batch = run->record.batches[number];
    std::string members = table.text(row, "members");
    std::replace(members.begin(), members.end(), ' ', ';');
    BOOST_TEST_REQUIRE(batch.replica == table.number(row, "replica"), what);
    BOOST_TEST_REQUIRE(batch.scheduled_at == table.number(row, "scheduled_at_s"), what);
    BOOST_TEST_REQUIRE(batch.completed_at == table.number(row, "completed_at_s"), what);
    BOOST_TEST_REQUIRE(batch.tokens == table.number(row, "tokens"), what);
    BOOST_TEST_REQUIRE(batch.prompt_tokens == table.number(row, "prefill_tokens"), what);
    BOOST_TEST_REQUIRE(members_of(run->record, batch) == members, what);
  }
}

BOOST_AUTO_TEST_CASE(summaries_agree_to_nine_digits) {
  const GoldenTable table = vidur_golden(golden_folder, "sim_runs.csv");
  for (const auto& [row, run] : closed_form_runs()) {
    const vidur::RunSummary s = vidur::summary_of(run.record, run.offered, run.rules);
    const bool is_stuck = run.record.ending == vidur::Ending::not_empty;
    BOOST_TEST(is_stuck == (table.text(row, "ended") == "assert_not_empty"), run.id);
    const auto check = [&, at = row](double ours, const std::string& column, double scale = 1.0) {
      const double golden = table.number(at, column) * scale;
      BOOST_TEST(std::abs(ours - golden) <= 1e-9 * std::abs(golden) + 1e-9, run.id + " " + column);
    };
    const auto check_all = [&](const vidur::Distribution& d, const std::string& name) {
      check(d.mean, name + "_s_mean");
      check(d.p50, name + "_s_p50");
      check(d.p90, name + "_s_p90");
      check(d.p95, name + "_s_p95");
      check(d.p99, name + "_s_p99");
    };
    check(static_cast<double>(s.completed), "completed");
    check(s.makespan, "makespan_s");
    check(s.request_rate, "throughput_req_s");
    check(s.token_rate, "output_tok_s");
    check_all(s.first_token, "ttft");
    check_all(s.token_interval, "tbt");
    check_all(s.output_token, "tpot");
    check_all(s.latency, "e2e");
    check_all(s.delay, "sched_delay");
    check_all(s.batch_time, "batch_time");
    check(static_cast<double>(run.record.batch_count), "num_batches");
    check(s.batch_requests, "mean_batch_size");
    check(s.batch_tokens, "mean_batch_tokens");
    check(static_cast<double>(s.restarts), "restarts");
    check(static_cast<double>(s.restarted), "requests_restarted");
    check(s.busy, "busy_pct", 0.01);
    check(s.sampled_cache_use, "memory_pct", 0.01);
    // Llama-2-7b on one device, 312 TFLOP/s of 2^40 FLOP
    const double layers = 32.0 / run.rules.stages;
    const vidur::StageWork work{layers * (4.0 * 4096 * 4096 + 3.0 * 4096 * 11008), layers * 4096.0};
    check(vidur::flops_utilization(run.record, work, Throughput{312.0 * 0x1p40}), "mfu_pct", 0.01);
  }
}

BOOST_AUTO_TEST_CASE(searches_for_the_capacity_take_the_same_steps) {
  const GoldenTable searches = vidur_golden(golden_folder, "sim_capacity.csv");
  const GoldenTable steps = vidur_golden(golden_folder, "sim_capacity_steps.csv");
  const VidurTraces traces = vidur_traces(vidur_golden(golden_folder, "sim_capacity_traces.csv"), "unit_arrival");
  std::size_t searched = 0;
  for (std::size_t row = 0; row < searches.size(); ++row) {
    if (searches.text(row, "predictor") != "closed_form") continue;
    ++searched;
    const std::string& id = searches.text(row, "search_id");
    // 29 requests of 4096 tokens fit beside Llama-2-7b on an A100.
    const vidur::Rules rules = vidur_rules(searches, row, 29 * 256 * searches.number(row, "pp"), 29);
    const vidur::CapacityLimits limits{.start_rate = searches.number(row, "start_qps"),
                                       .delay = Seconds{searches.number(row, "delay_limit_s")},
                                       .granularity = searches.number(row, "granularity_pct") / 100.0,
                                       .most_runs = static_cast<std::uint32_t>(searches.number(row, "max_iterations"))};
    const vidur::Capacity found = vidur::find_capacity(limits, [&](double rate) -> std::optional<double> {
      std::vector<vidur::OfferedRequest> offered = traces.at(searches.text(row, "trace_id"));
      for (vidur::OfferedRequest& request : offered) request.arrival = Seconds{request.arrival.value() / rate};
      std::vector<double> delays =
          vidur::delays_of(vidur::simulate(rules, offered, ClosedFormClock{rules.stages}, {.samples = false}));
      std::sort(delays.begin(), delays.end());
      return vidur::quantile_of(delays, searches.number(row, "delay_quantile"));
    });
    BOOST_TEST(found.rate == searches.number(row, "best_qps"), id);
    BOOST_TEST_REQUIRE(static_cast<double>(found.steps.size()) == searches.number(row, "num_runs"), id);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      if (steps.text(s, "search_id") != id) continue;
      const vidur::CapacityStep& step = found.steps[static_cast<std::size_t>(steps.number(s, "step"))];
      BOOST_TEST(step.rate == steps.number(s, "qps"), id);
      BOOST_TEST(std::abs(step.delay.value() - steps.number(s, "delay_p99_s")) < 1e-9, id);
      BOOST_TEST(step.is_within == (steps.number(s, "under_limit") == 1.0), id);
    }
  }
  BOOST_TEST(searched == 7);
}

BOOST_AUTO_TEST_SUITE_END()
