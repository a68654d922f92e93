/// Rows of the published parameters.
#include "models/serving/points/published.hpp"

#include <array>

#include "models/published_rows.hpp"

namespace dfsweep::serving {

namespace {

using namespace published;

constexpr double most_count = 1e9;
constexpr double most = 1e30;

constexpr std::string_view phases[] = {"request", "prefill", "decode"};
constexpr std::string_view precisions[] = {"fp16", "bf16", "fp8", "int8", "fp4", "int4"};
constexpr std::string_view cache_precisions[] = {"fp16", "bf16", "fp8", "int8", "fp4"};
constexpr std::string_view speculations[] = {"none", "sequence", "tree"};
constexpr std::string_view acceptance_rules[] = {"exact", "linear"};
constexpr std::string_view attention_parallels[] = {"tensor", "data"};
constexpr std::string_view batchings[] = {"in_flight", "static"};

constexpr auto parameter_rows = std::to_array<Row<Parameter, ParameterInfo>>({
    {Parameter::model, entry_of("model", "models", "the transformer")},
    {Parameter::system, open(entry_of("system", "systems", "a device with its memory, its node and its network"),
                             "device, memory and interconnect")},
    {Parameter::device, open(entry_of("device", "devices", "the chip"), "the system's")},
    {Parameter::memory, open(entry_of("memory", "memories", "memory of a chip"), "the system's, or dram_bandwidth")},
    {Parameter::interconnect,
     open(entry_of("interconnect", "interconnects", "links between chips"), "the system's; not needed by one chip")},
    {Parameter::device_count, open(whole("device_count", 1, most_count, "devices; replicas share the requests"),
                                   "tensor_parallel * pipeline_parallel")},
    {Parameter::tensor_parallel, or_else(whole("tensor_parallel", 1, most_count, "devices that share a layer"), "1")},
    {Parameter::pipeline_parallel, or_else(whole("pipeline_parallel", 1, most_count, "stages of layers"), "1")},
    {Parameter::phase,
     or_else(choice_of("phase", phases, "what compute_time, memory_time, network_time and utilization are of"),
             "request")},
    {Parameter::batch,
     or_else(choosable(whole("batch", 0, most_count,
                             "sequences of a replica at once; best or 0: as many as memory and limits allow")),
             "best")},
    {Parameter::prompt_tokens, or_else(whole("prompt_tokens", 1, most_count, "tokens of a prompt"), "1024")},
    {Parameter::output_tokens, or_else(whole("output_tokens", 1, most_count, "tokens of an answer"), "256")},
    {Parameter::precision, or_else(choice_of("precision", precisions, "number format of matrix products"), "bf16")},
    {Parameter::weight_precision,
     open(choice_of("weight_precision", precisions, "number format in which weights are kept"), "precision")},
    {Parameter::cache_precision,
     open(choice_of("cache_precision", cache_precisions, "number format of the cache of keys and values"),
          "fp8 where precision is of 8 or 4 bits, else bf16")},
    {Parameter::compute_utilization,
     open(real("compute_utilization", "1", 0.0, 1.0, "share of the peak"), "the software's, also for 0")},
    {Parameter::dram_bandwidth,
     open(real("dram_bandwidth", "B/s", 1.0, most, "of the memory of a chip"), "the memory's or system's")},
    {Parameter::dram_capacity,
     open(real("dram_capacity", "B", 1.0, most, "of the memory of a chip"), "the memory's or system's")},
    {Parameter::peak_flops,
     open(real("peak_flops", "FLOP/s", 1.0, most, "of a chip, in the swept precision"), "the device's or system's")},
    {Parameter::link_bandwidth,
     open(real("link_bandwidth", "B/s", 1.0, most, "of a link in one direction; system: of a device in its node"),
          "the interconnect's or system's")},
    {Parameter::link_latency, open(real("link_latency", "s", 0.0, most, "of a link; system: of a step in its node"),
                                   "the interconnect's or system's")},
    {Parameter::requests,
     open(whole("requests", 1, most_count, "requests that are queued at the start, of all replicas"), "without end")},
    {Parameter::speculation,
     or_else(choice_of("speculation", speculations, "a smaller model drafts: a sequence, or a tree of two branches"),
             "none")},
    {Parameter::draft_model,
     open(entry_of("draft_model", "models", "the model that drafts"), "none: it needs one where speculation is on")},
    {Parameter::draft_window, or_else(whole("draft_window", 0, 64, "tokens of a path that is drafted"), "4")},
    {Parameter::acceptance,
     or_else(real("acceptance", "1", 0.0, 1.0, "probability that the next drafted token of a path is right"), "0.8")},
    {Parameter::acceptance_rule,
     or_else(choice_of("acceptance_rule", acceptance_rules, "exact: sum of a^i; linear: 1 + a * draft_window"),
             "exact")},
    {Parameter::verified_tokens,
     open(whole("verified_tokens", 1, 1e6, "tokens that a decode pass of the target handles at once"),
          "1; with speculation those of a window and one more")},
    {Parameter::device_hour_price,
     open(real("device_hour_price", "USD", 0.0, most, "of a device for an hour, with its share of the rest"),
          "unknown: metrics of cost do not apply")},
    {Parameter::software,
     open(entry_of("software", "software", "efficiencies of a serving stack"), "the numbers that all stacks share")},
    {Parameter::batching,
     or_else(choice_of("batching", batchings, "in_flight: whoever ends is replaced at once; static: all end together"),
             "in_flight")},
    {Parameter::concurrency,
     open(whole("concurrency", 1, most_count, "users of a replica, each with one request at a time"),
          "requests never run out")},
    {Parameter::batch_limit,
     or_else(whole("batch_limit", 1, most_count, "sequences that the scheduler takes at once"), "2048")},
    {Parameter::time_per_output_token_limit,
     open(real("time_per_output_token_limit", "s", 0.0, most, "the batch grows no further than this allows"), "none")},
    {Parameter::load, or_else(real("load", "1", 1e-6, 1.0, "share of the highest rate at which requests arrive"), "1")},
    {Parameter::chunk_tokens,
     open(whole("chunk_tokens", 1, most_count, "tokens of prompts that a step handles at most"),
          "8192; static: 65536")},
    {Parameter::shared_prompt_tokens,
     or_else(whole("shared_prompt_tokens", 0, most_count, "tokens of a prompt that all requests share"), "0")},
    {Parameter::beams, or_else(whole("beams", 1, 1024, "sequences that a request keeps, with one prompt"), "1")},
    {Parameter::attention_parallel,
     or_else(choice_of("attention_parallel", attention_parallels,
                       "tensor: heads are shared out; data: sequences are, and feed-forward layers exchange tokens"),
             "tensor")},
    {Parameter::cache_share,
     open(real("cache_share", "1", 1e-3, 1.0, "of the memory that weights and buffers leave"), "the software's")},
    {Parameter::node_devices, open(whole("node_devices", 1, most_count, "devices of a node"), "the system's, or all")},
    {Parameter::outer_link_bandwidth,
     open(real("outer_link_bandwidth", "B/s", 1.0, most, "of a device to other nodes"), "the system's")},
    {Parameter::network, open(entry_of("network", "networks", "what joins the chips, where profiles are given"),
                              "none: tables of one chip")},
});
static_assert(is_in_order(parameter_rows));
constexpr auto parameter_table = infos_of(parameter_rows);

}  // namespace

std::span<const ParameterInfo> parameters() {
  return parameter_table;
}

}  // namespace dfsweep::serving
