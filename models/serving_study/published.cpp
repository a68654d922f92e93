/// Rows of the published parameters.
#include "models/serving_study/published.hpp"

#include <array>

#include "models/published_rows.hpp"

namespace dfsweep::serving_study {

namespace {

using namespace published;

constexpr double most_count = 1e9;
constexpr double most = 1e30;

constexpr std::string_view phases[] = {"request", "prefill", "decode"};
constexpr std::string_view precisions[] = {"fp16", "bf16", "fp8", "int8", "fp4", "int4"};
constexpr std::string_view overlaps[] = {"none", "perfect"};
constexpr std::string_view speculations[] = {"none", "sequence", "tree"};
constexpr std::string_view acceptance_rules[] = {"exact", "linear"};

// Defaults: `compute_utilization` [dfmodel] section 10, `requests` as the logged runs stream through the pipeline.
constexpr auto parameter_rows = std::to_array<Row<Parameter, ParameterInfo>>({
    {Parameter::model, entry_of("model", "models", "the transformer")},
    {Parameter::device, entry_of("device", "devices", "the chip")},
    {Parameter::memory, open(entry_of("memory", "memories", "memory of a chip"), "dram_bandwidth, of any capacity")},
    {Parameter::interconnect,
     open(entry_of("interconnect", "interconnects", "links between chips"), "link_bandwidth; not needed by one chip")},
    {Parameter::topology,
     open(entry_of("topology", "topologies", "dimensions for tensor, then pipeline parallelism"), "rings")},
    {Parameter::device_count, open(whole("device_count", 1, most_count, "chips, the product of both degrees"),
                                   "tensor_parallel * pipeline_parallel")},
    {Parameter::tensor_parallel, or_else(whole("tensor_parallel", 1, most_count, "chips that share a layer"), "1")},
    {Parameter::pipeline_parallel, or_else(whole("pipeline_parallel", 1, most_count, "stages of layers"), "1")},
    {Parameter::phase,
     or_else(choice_of("phase", phases,
                       "what request_rate, compute_time, memory_time, network_time and utilization are of"),
             "request")},
    {Parameter::batch, or_else(whole("batch", 1, most_count, "sequences at once"), "1")},
    {Parameter::prompt_tokens, or_else(whole("prompt_tokens", 1, most_count, "tokens of a prompt"), "1024")},
    {Parameter::output_tokens, or_else(whole("output_tokens", 1, most_count, "tokens of an answer"), "256")},
    {Parameter::precision, or_else(choice_of("precision", precisions, "number format of all words"), "bf16")},
    {Parameter::overlap,
     or_else(choice_of("overlap", overlaps, "whether compute, memory and network overlap"), "none")},
    {Parameter::compute_utilization,
     or_else(real("compute_utilization", "1", 0.0, 1.0, "share of the peak; 0: the cycle model"), "0.9")},
    {Parameter::dram_bandwidth,
     open(real("dram_bandwidth", "B/s", 1.0, most, "of the memory of a chip"), "the memory's")},
    {Parameter::dram_capacity, open(real("dram_capacity", "B", 1.0, most, "of the memory of a chip"), "the memory's")},
    {Parameter::peak_flops, open(real("peak_flops", "FLOP/s", 1.0, most, "of a chip"), "the device's")},
    {Parameter::link_bandwidth,
     open(real("link_bandwidth", "B/s", 1.0, most, "of a link in one direction"), "the interconnect's")},
    {Parameter::link_latency, open(real("link_latency", "s", 0.0, most, "of a link"), "the interconnect's")},
    {Parameter::requests,
     or_else(whole("requests", 1, most_count, "requests that stream through the pipeline"), "16384")},
    {Parameter::speculation,
     or_else(choice_of("speculation", speculations, "a smaller model drafts: a sequence, or a tree of two branches"),
             "none")},
    {Parameter::draft_model,
     open(entry_of("draft_model", "models", "the model that drafts"), "none: speculation needs one")},
    {Parameter::draft_window, or_else(whole("draft_window", 0, 64, "tokens of a path that is drafted"), "4")},
    {Parameter::acceptance,
     or_else(real("acceptance", "1", 0.0, 1.0, "probability that the next drafted token of a path is right"), "0.8")},
    {Parameter::acceptance_rule,
     or_else(choice_of("acceptance_rule", acceptance_rules, "exact: sum of a^i; linear: 1 + a * draft_window"),
             "linear")},
    {Parameter::verified_tokens,
     open(whole("verified_tokens", 1, 1e6, "tokens that a decode pass of the target handles at once"),
          "1; with speculation those of a window")},
    {Parameter::device_hour_price,
     open(real("device_hour_price", "USD", 0.0, most, "of a chip for an hour, with its share of the rest"),
          "share of cost_of_ownership where service_years is given; else metrics of cost do not apply")},
    {Parameter::all_reduce_passes,
     or_else(whole("all_reduce_passes", 1, 2, "passes over the data of an all-reduce on rings and switches"), "2")},
    {Parameter::num_tile,
     or_else(whole("num_tile", 1, 1e6, "parts that a prompt is streamed in, which the cycle model knows"), "1")},
    {Parameter::solver_gap,
     open(real("solver_gap", "1", 0.0, 1.0, "share that logged times of whole runs lie above the formulas"),
          "0.001; 0 with the cycle model")},
});
static_assert(is_in_order(parameter_rows, Parameter::model, Parameter::prices));
constexpr auto parameter_table = joined(infos_of(parameter_rows), cost::price_parameters, cost::ownership_parameters);
static_assert(parameter_table.size() == count_of<Parameter>);

}  // namespace

std::span<const ParameterInfo> parameters() {
  return parameter_table;
}

}  // namespace dfsweep::serving_study
