/// Points against what a chip multiplies, what a stack can run, and what was measured of both.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "models/evidence.hpp"
#include "models/machine/number_format.hpp"
#include "models/training/estimator.hpp"
#include "tests/support/estimator_sweep.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(chips_and_stacks_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

Entry decoder() {
  Entry entry;
  entry.texts["kind"] = "transformer";
  entry.numbers = {{"layers", 12},    {"hidden", 4096},       {"heads", 32},
                   {"head_dim", 128}, {"key_value_heads", 8}, {"ffn_hidden", 14336},
                   {"gated_ffn", 1},  {"vocabulary", 32000},  {"sequence_length", 4096}};
  return entry;
}

/// A chip with rates of all widths and the formats of `formats`.
Entry chip(std::vector<std::string> formats) {
  Entry entry;
  entry.name = "chip";
  entry.numbers = {{"peak_flops", 1e15},       {"peak_flops_8bit", 2e15},  {"peak_flops_4bit", 4e15},
                   {"memory_bandwidth", 4e12}, {"memory_capacity", 200e9}, {"node_devices", 8},
                   {"node_bandwidth", 400e9},  {"network_bandwidth", 50e9}};
  entry.text_lists["number_formats"] = std::move(formats);
  return entry;
}

testing::EstimatorSweep sweep(std::vector<std::string> formats) {
  testing::EstimatorSweep s(make_training_estimator);
  s.set("model", decoder()).set("system", chip(std::move(formats))).set("device_count", 16).set("tensor_parallel", 2);
  s.set("global_batch", 32).set("optimizer_sharding", 1).set("tensor_overlap", "ring");
  return s;
}

struct PrecisionCase {
  const char* why;
  std::vector<std::string> formats;
  const char* asked;
  const char* computed;  ///< "": the status no_number_format
};

const PrecisionCase precision_cases[] = {
    {"what the chip has", {"fp16", "bf16", "fp8"}, "fp8", "fp8"},
    {"V100: no bf16, and nothing wider with a rate", {"fp16"}, "bf16", ""},
    {"V100: fp8 in fp16", {"fp16"}, "fp8", "fp16"},
    {"A100: fp8 in bf16", {"fp16", "bf16", "int8"}, "fp8", "bf16"},
    {"H100: fp4 in fp8", {"fp16", "bf16", "fp8", "int8"}, "fp4", "fp8"},
    {"TPU v5p: its 8-bit rate is of int8", {"bf16", "int8"}, "fp8", "bf16"},
    {"TPU v5p: int8", {"bf16", "int8"}, "int8", "int8"},
};

}  // namespace

// A format that the chip lacks has no gain: the point equals that of the format that it runs in.
BOOST_DATA_TEST_CASE(products_run_in_a_format_of_the_chip, bdata::make(precision_cases)) {
  const testing::NamedEstimate found = sweep(sample.formats).set("precision", sample.asked).evaluate();
  const std::string computed = sample.computed;
  BOOST_TEST(found.status == (computed.empty() ? "no_number_format" : "ok"));
  if (computed.empty()) return;
  BOOST_TEST(number_format_names[static_cast<std::size_t>(found["compute_precision"])] == computed);
  const testing::NamedEstimate same = sweep(sample.formats).set("precision", computed).evaluate();
  for (const char* metric : {"step_time", "memory_used", "utilization"}) BOOST_TEST(found[metric] == same[metric]);
}

BOOST_AUTO_TEST_CASE(a_given_peak_is_of_the_given_precision) {
  const testing::NamedEstimate found = sweep({"fp16"}).set("precision", "fp4").set("peak_flops", 8e15).evaluate();
  BOOST_TEST(found.status == "ok");
  BOOST_TEST(number_format_names[static_cast<std::size_t>(found["compute_precision"])] == "fp4");
}

// Attention and the output layer stay in 16 bits, whose rate follows the given one.
BOOST_AUTO_TEST_CASE(the_own_rate_of_a_format_changes_nothing) {
  for (const auto& [precision, rate] : {std::pair("bf16", 1e15), std::pair("fp8", 2e15), std::pair("fp4", 4e15)}) {
    const std::vector<std::string> all = {"fp16", "bf16", "fp8", "fp4"};
    const testing::NamedEstimate own = sweep(all).set("precision", precision).evaluate();
    const testing::NamedEstimate same = sweep(all).set("precision", precision).set("peak_flops", rate).evaluate();
    for (const char* metric : {"step_time", "memory_used", "utilization", "system_cost"})
      BOOST_TEST((same[metric] == own[metric] || (std::isnan(same[metric]) && std::isnan(own[metric]))),
                 precision << ", " << metric);
  }
  // A chip without fp8 gets it: of the given rate, and half of that for 16 bits.
  Entry narrow = chip({"bf16", "fp8"});
  narrow.numbers.erase("peak_flops_4bit");
  narrow.numbers["peak_flops"] = 2e15;
  narrow.numbers["peak_flops_8bit"] = 4e15;
  Entry wide = narrow;
  wide.numbers.erase("peak_flops_8bit");
  wide.numbers["peak_flops"] = 5e14;
  wide.text_lists["number_formats"] = {"bf16"};
  testing::EstimatorSweep s = sweep({});
  s.set("precision", "fp8");
  const double stated = s.set("system", narrow).evaluate()["step_time"];
  BOOST_TEST(s.set("system", wide).set("peak_flops", 4e15).evaluate()["step_time"] == stated);
}

BOOST_AUTO_TEST_CASE(a_chip_without_entry_of_a_system_has_16_bits) {
  Entry device;
  device.numbers = {{"peak_flops", 1e15}, {"price", 1}, {"power", 1}};
  Entry memory;
  memory.numbers = {{"bandwidth", 4e12}, {"capacity", 200e9}};
  Entry links;
  links.numbers = {{"bandwidth", 400e9}, {"latency", 1e-6}};
  testing::EstimatorSweep built = sweep({});
  built.set_absent("system").set("device", device).set("memory", memory).set("interconnect", links);
  const testing::NamedEstimate wide = built.set("precision", "bf16").evaluate();
  const testing::NamedEstimate narrow = built.set("precision", "fp8").evaluate();
  BOOST_TEST(narrow.status == "ok");
  BOOST_TEST(narrow["step_time"] == wide["step_time"]);
}

namespace {

struct ChunkCase {
  const char* why;
  double stages;
  double chunks;
  const char* split;
  const char* reason;  ///< "": runs
};

// Of 12 layers.
const ChunkCase chunk_cases[] = {
    {"12 = 4 x 3", 4, 3, "even", ""},
    {"12 + 2 = 2 x 7", 2, 7, "balanced", ""},
    {"12 + 2 = 2 x 7, but the ends have as many layers", 2, 7, "even", "chunks of layers that are uneven"},
    {"neither 12 nor 14 is a multiple of 4 x 2", 4, 2, "balanced", "chunks of layers that are uneven"},
    {"without chunks stages may be uneven", 8, 1, "balanced", ""},
};

struct StackCase {
  const char* why;
  std::vector<std::pair<const char*, double>> numbers;
  std::vector<std::pair<const char*, const char*>> texts;
  const char* reason;  ///< "": runs
};

const StackCase stack_cases[] = {
    {"as listed", {}, {}, ""},
    {"1F1B", {{"pipeline_parallel", 4}}, {}, ""},
    {"chunks", {{"pipeline_parallel", 4}, {"interleaving", 3}}, {}, "schedule interleaved"},
    {"two ends", {{"pipeline_parallel", 4}}, {{"schedule", "dual_pipe"}}, "schedule dual_pipe"},
    {"a schedule without stages is idle", {}, {{"schedule", "dual_pipe"}}, ""},
    {"sharded weights", {{"optimizer_sharding", 3}}, {}, "sharding parameters"},
    {"sharding of one replica is idle", {{"optimizer_sharding", 3}, {"tensor_parallel", 16}}, {}, ""},
    {"tiles by pipe", {}, {{"tensor_overlap", "pipe"}}, "tensor overlap pipe"},
    {"tiles without a tensor group are idle", {{"tensor_parallel", 1}}, {{"tensor_overlap", "pipe"}}, ""},
    {"fp4 on a chip that has it", {}, {{"precision", "fp4"}}, "number format fp4"},
    {"a forward pass has no schedule",
     {{"pipeline_parallel", 4}, {"optimizer_sharding", 2}},
     {{"schedule", "zero_bubble"}, {"phase", "forward"}},
     ""},
};

Entry listed_stack() {
  Entry entry;
  entry.name = "stack";
  entry.text_lists = {{"schedules", {"one_forward_one_backward"}},
                      {"shardings", {"none", "optimizer"}},
                      {"tensor_overlaps", {"none", "ring"}},
                      {"number_formats", {"bf16", "fp16", "fp8"}},
                      {"measured_on", {"chip"}}};
  return entry;
}

Entry stack_of_chunks() {
  Entry entry;
  entry.name = "stack";
  entry.text_lists = {{"chunk_layers", {"equal", "lighter_ends"}}};
  return entry;
}

testing::EstimatorSweep with(const StackCase& execution) {
  testing::EstimatorSweep s = sweep({"fp16", "bf16", "fp8", "fp4"});
  for (const auto& [name, value] : execution.numbers) s.set(name, value);
  for (const auto& [name, value] : execution.texts) s.set(name, value);
  return s;
}

}  // namespace

BOOST_DATA_TEST_CASE(a_stack_runs_what_its_entry_lists, bdata::make(stack_cases)) {
  testing::EstimatorSweep s = with(sample);
  BOOST_TEST(s.evaluate().status == "ok");  // nothing is known of the default stack
  s.set("software", listed_stack());
  const std::string reason = sample.reason;
  BOOST_TEST(s.evaluate().status == (reason.empty() ? "ok" : "stack_cannot_run"));
  if (reason.empty()) return;
  const Explanation explained = s.explain();
  BOOST_TEST(std::get<std::string>(explained.facts[1].value) == "its software entry does not list " + reason);
}

BOOST_DATA_TEST_CASE(a_stack_runs_the_chunks_that_its_entry_lists, bdata::make(chunk_cases)) {
  testing::EstimatorSweep s = sweep({"bf16"});
  s.set("pipeline_parallel", sample.stages).set("interleaving", sample.chunks).set("stage_split", sample.split);
  BOOST_TEST(s.evaluate().status == "ok");  // nothing is known of the default stack
  s.set("software", stack_of_chunks());
  const std::string reason = sample.reason;
  BOOST_TEST(s.evaluate().status == (reason.empty() ? "ok" : "stack_cannot_run"));
  if (!reason.empty())
    BOOST_TEST(std::get<std::string>(s.explain().facts[1].value) == "its software entry does not list " + reason);
}

BOOST_AUTO_TEST_CASE(a_row_says_what_was_measured) {
  const auto evidence = [](testing::EstimatorSweep& s) {
    return evidence_names[static_cast<std::size_t>(s.evaluate()["evidence"])];
  };
  testing::EstimatorSweep s = sweep({"fp16", "bf16"});
  BOOST_TEST(evidence(s) == "not_measured");
  Entry measured = chip({"fp16", "bf16"});
  measured.text_lists["measured_for"] = {"serving", "training"};
  BOOST_TEST(evidence(s.set("system", measured)) == "accelerator_measured");
  BOOST_TEST(evidence(s.set("software", listed_stack())) == "stack_measured");
  // Links may be those of another cluster; another memory makes another chip.
  BOOST_TEST(evidence(s.set("link_bandwidth", 1e11)) == "stack_measured");
  BOOST_TEST(evidence(s.set("dram_bandwidth", 1e12)) == "not_measured");
}

namespace {

struct SplitCase {
  const char* why;
  double stages;
  const char* split;  ///< what is used where none is given
};

const SplitCase split_cases[] = {
    {"12 layers over 4 stages", 4, "even"},
    {"12 layers over 8 stages", 8, "balanced"},
    {"one stage", 1, "even"},
};

}  // namespace

BOOST_DATA_TEST_CASE(layers_are_split_as_stacks_do, bdata::make(split_cases)) {
  testing::EstimatorSweep s = sweep({"fp16", "bf16"});
  s.set("pipeline_parallel", sample.stages);
  const testing::NamedEstimate open = s.evaluate();
  const testing::NamedEstimate given = s.set("stage_split", sample.split).evaluate();
  for (const char* metric : {"step_time", "imbalance_time", "memory_used"}) BOOST_TEST(open[metric] == given[metric]);
}

BOOST_AUTO_TEST_SUITE_END()
