/// The study as an estimator: a point whose memory alone takes time, its costs, speculation, statuses, missing entries.
#include "models/serving_study/estimator.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/estimator_sweep.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(estimator_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using serving_study::make_serving_study_estimator;
using testing::EstimatorSweep;
using testing::NamedEstimate;

namespace {

/// A layer has 4 h^2 + 2 h f = 512 weights and, at 8 tokens of context, 2 h 8 = 128 words of caches: 1280 B in 16 bits.
Entry small_model(double layers) {
  Entry entry;
  entry.name = "small";
  entry.texts["kind"] = "transformer";
  entry.numbers = {{"layers", layers}, {"hidden", 8}, {"heads", 2}, {"head_dim", 4}, {"ffn_hidden", 16}};
  return entry;
}

/// Arithmetic takes no time.
Entry fast_chip() {
  Entry entry;
  entry.name = "chip";
  entry.numbers = {{"peak_flops", 1e30}, {"price", 100}, {"power", 10}};
  return entry;
}

/// Reads a layer in one second.
Entry slow_memory() {
  Entry entry;
  entry.name = "dram";
  entry.numbers = {
      {"bandwidth", 1280}, {"capacity", 1e6}, {"price_per_bandwidth", 0.5}, {"power_per_bandwidth", 1 / 1280.0}};
  return entry;
}

/// Two layers on one chip.
EstimatorSweep two_layers() {
  EstimatorSweep s(make_serving_study_estimator);
  s.set("model", small_model(2)).set("device", fast_chip()).set("memory", slow_memory());
  s.set("phase", "decode").set("prompt_tokens", 8).set("output_tokens", 3);
  return s;
}

struct StatusCase {
  const char* why;
  const char* parameter;
  double value;
  const char* status;
};
const StatusCase status_cases[] = {
    {"as it is", "batch", 1, "ok"},
    {"three chips of one", "device_count", 3, "degrees_do_not_divide"},
    {"three stages of two layers", "pipeline_parallel", 3, "too_many_stages"},
    {"weights and caches of two layers are 2560 B", "dram_capacity", 2559, "out_of_memory"},
    {"which fit exactly", "dram_capacity", 2560, "ok"},
    {"the chip has a peak alone", "compute_utilization", 0, "no_cycle_model"},
};

struct MissingCase {
  const char* why;
  const char* absent;  ///< parameter that is not given
  const char* given;   ///< another one that is
  double value;
  const char* problem;  ///< "": none
};
const MissingCase missing_cases[] = {
    {"a memory is needed", "memory", "batch", 1, "'memory' is missing"},
    {"or its bandwidth", "memory", "dram_bandwidth", 1e12, ""},
    {"one chip needs no links", "interconnect", "tensor_parallel", 1, ""},
    {"several do", "interconnect", "tensor_parallel", 2, "'interconnect' is missing"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_token_takes_the_time_of_reading_all_layers) {
  const NamedEstimate e = two_layers().evaluate();
  BOOST_TEST(e.status == "ok");
  BOOST_TEST(e["memory_time"] == 2.0, tt::tolerance(1e-12));
  BOOST_TEST(e["time_per_output_token"] == 2.0, tt::tolerance(1e-12));
  BOOST_TEST(e["decode_rate"] == 1 / 2.0, tt::tolerance(1e-12));
  BOOST_TEST(e["token_rate_per_user"] == 1 / 2.0, tt::tolerance(1e-12));
  BOOST_TEST(e["network_time"] == 0.0);
  BOOST_TEST(e["memory_used"] == 2560.0);
  BOOST_TEST(e["weight_memory"] == 2048.0);
  BOOST_TEST(e["cache_memory"] == 512.0);
  BOOST_TEST(e["running_batch"] == 1.0);
}

BOOST_AUTO_TEST_CASE(each_sequence_reads_its_caches) {
  const NamedEstimate e = two_layers().set("batch", 4).evaluate();
  BOOST_TEST(e["cache_memory"] == 4 * 512.0);
  const double pass = 2 * (1024 + 4 * 256) / 1280.0;  // two layers of weights and four caches
  BOOST_TEST(e["time_per_output_token"] == pass, tt::tolerance(1e-12));
  BOOST_TEST(e["decode_rate"] == 4 / pass, tt::tolerance(1e-12));
  BOOST_TEST(e["running_batch"] == 4.0);
}

BOOST_AUTO_TEST_CASE(a_longer_context_takes_longer) {
  const NamedEstimate e = two_layers().set("prompt_tokens", 16).evaluate();
  BOOST_TEST(e["cache_memory"] == 1024.0);
  BOOST_TEST(e["time_per_output_token"] == 2 * (1024 + 512) / 1280.0, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(logged_runs_lie_above_the_formulas) {
  BOOST_TEST(two_layers().evaluate()["request_rate"] == 1 / 2.002, tt::tolerance(1e-12));
  BOOST_TEST(two_layers().set("solver_gap", 0).evaluate()["request_rate"] == 1 / 2.0, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(costs_are_those_of_chip_and_memory) {
  const NamedEstimate e = two_layers().set("device_hour_price", 3600).evaluate();
  BOOST_TEST(e["system_cost"] == 100 + 1280 * 0.5, tt::tolerance(1e-12));
  BOOST_TEST(e["system_power"] == 10 + 1.0, tt::tolerance(1e-12));
  BOOST_TEST(e["energy_per_token"] == 11 / 0.5, tt::tolerance(1e-12));  // half a token per second
  BOOST_TEST(e["cost_per_million_tokens"] == 1 / 0.5 * 1e6, tt::tolerance(1e-12));
  BOOST_TEST(std::isnan(two_layers().evaluate()["cost_per_million_tokens"]));
}

// A draft of one layer takes a second a pass, the target two.
BOOST_AUTO_TEST_CASE(windows_count_linearly_unless_asked) {
  EstimatorSweep s = two_layers();
  s.set("draft_model", small_model(1)).set("draft_window", 3).set("acceptance", 0.5);
  const NamedEstimate sequence = s.set("speculation", "sequence").evaluate();
  BOOST_TEST(sequence["draft_time"] == 3.0, tt::tolerance(1e-12));
  BOOST_TEST(sequence["verification_time"] == 2.0, tt::tolerance(1e-12));
  BOOST_TEST(sequence["acceptance_length"] == 1 + 3 * 0.5, tt::tolerance(1e-12));
  BOOST_TEST(sequence["speculative_rate"] == 2.5 / 5, tt::tolerance(1e-12));
  BOOST_TEST(sequence["speedup"] == 1.0, tt::tolerance(1e-12));
  const NamedEstimate tree = s.set("speculation", "tree").evaluate();
  BOOST_TEST(tree["draft_time"] == 8.0, tt::tolerance(1e-12));  // 2^3 passes
  BOOST_TEST(tree["acceptance_length"] == 1 + 0.5 + 2 * 0.75, tt::tolerance(1e-12));
  BOOST_TEST(tree["speculative_rate"] == 3.0 / 10, tt::tolerance(1e-12));
  s.set("speculation", "sequence").set("acceptance_rule", "exact");
  BOOST_TEST(s.evaluate()["acceptance_length"] == 1 + 0.5 + 0.25 + 0.125, tt::tolerance(1e-12));
}

// Weights and four caches of a layer are 2048 B.
BOOST_AUTO_TEST_CASE(a_batch_is_drafted_for_together) {
  EstimatorSweep s = two_layers();
  s.set("draft_model", small_model(1)).set("draft_window", 2).set("acceptance", 0.5).set("batch", 4);
  const NamedEstimate e = s.set("speculation", "sequence").evaluate();
  BOOST_TEST(e["draft_time"] == 2 * 1.6, tt::tolerance(1e-12));
  BOOST_TEST(e["verification_time"] == 3.2, tt::tolerance(1e-12));
  BOOST_TEST(e["speculative_rate"] == 4 * 2 / 6.4, tt::tolerance(1e-12));
  BOOST_TEST(e["speedup"] == 1.0, tt::tolerance(1e-12));  // two tokens in the time of two passes
}

BOOST_DATA_TEST_CASE(points_have_a_status, bdata::make(status_cases)) {
  EstimatorSweep s = two_layers();
  s.set("link_bandwidth", 1e9).set("link_latency", 0);
  BOOST_TEST(s.set(sample.parameter, sample.value).evaluate().status == sample.status);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_says_how_far) {
  EstimatorSweep s = two_layers();
  s.set("dram_capacity", 1280);
  BOOST_TEST(s.evaluate()["shortfall"] == 2.0, tt::tolerance(1e-12));
  BOOST_TEST(s.reason().find("weights") != std::string::npos);
}

BOOST_DATA_TEST_CASE(missing_entries_are_named, bdata::make(missing_cases)) {
  EstimatorSweep s = two_layers();
  s.set_absent(sample.absent).set(sample.given, sample.value);
  const std::vector<ValueProblem> problems = make_serving_study_estimator()->problems_of(s.values());
  const std::string found = problems.empty() ? "" : problems.front().problem;
  BOOST_TEST(found == sample.problem);
}

BOOST_AUTO_TEST_CASE(speculation_needs_a_draft) {
  EstimatorSweep s = two_layers();
  s.set("speculation", "tree");
  const std::vector<ValueProblem> problems = make_serving_study_estimator()->problems_of(s.values());
  BOOST_REQUIRE(problems.size() == 1u);
  BOOST_TEST(problems.front().problem == "'draft_model' is missing");
}

BOOST_AUTO_TEST_CASE(explanations_show_a_layer_of_both_phases) {
  const Explanation all = two_layers().explain();
  BOOST_REQUIRE(all.sections.size() == 2u);
  const auto memory_seconds = [&](std::size_t section) {
    return std::get<double>(all.sections[section].table.rows[1][1]);
  };
  BOOST_TEST(memory_seconds(0) == 0.0);  // weights stay on the chip in prefill
  BOOST_TEST(memory_seconds(1) == 1.0, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
