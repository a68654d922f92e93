/// Rows of the published parameters.
#include "models/profiled/points/published.hpp"

#include <array>

#include "models/published_rows.hpp"
#include "models/queueing/vidur/generators.hpp"
#include "models/queueing/vidur/rules.hpp"

namespace dfsweep::profiled {

namespace {

using namespace published;

constexpr double most_requests = 1e6;
constexpr double most_tokens = 1e8;
constexpr std::string_view queueing_choices[] = {"steady", "simulated"};
constexpr std::string_view fallbacks[] = {"none", "analytical"};
constexpr std::string_view convention_choices[] = {"measured", "vidur"};
constexpr std::string_view processor_overheads[] = {"none", "tables"};
constexpr std::string_view heads[] = {"none", "analytical"};
/// A number that replaces a field of the device.
constexpr ParameterInfo device_override(std::string_view field, std::string_view name, std::string_view unit,
                                        std::string_view instead, std::string_view meaning) {
  return override_of(field, real(name, unit, 1, 1e24, meaning), instead);
}

constexpr auto parameter_rows = std::to_array<Row<Parameter, ParameterInfo>>({
    {Parameter::model, entry_of("model", "models", "the transformer")},
    {Parameter::device, entry_of("device", "devices", "the chip")},
    {Parameter::network, open(entry_of("network", "networks", "network between the chips"), "no network: one chip")},
    {Parameter::tensor_parallel, or_else(whole("tensor_parallel", 1, 1e6, "chips that share a layer"), "1")},
    {Parameter::pipeline_parallel, or_else(whole("pipeline_parallel", 1, 1e6, "stages that share the layers"), "1")},
    {Parameter::stage,
     open(whole("stage", 0, 1e6, "the stage of the pipeline to estimate, from 0"), "all stages in sequence")},
    {Parameter::batch_requests,
     open(text("batch_requests", "the batch as a list, such as 8xd1@1000;p512@0 (d1@CONTEXT, pCHUNK@CONTEXT)"),
          "decode_batch, prefill_batch and their parameters")},
    {Parameter::decode_batch,
     or_else(whole("decode_batch", 0, most_requests, "number of decoding requests, one token each"), "0")},
    {Parameter::decode_context,
     or_else(whole("decode_context", 0, most_tokens, "cached tokens per decoding request"), "0")},
    {Parameter::prefill_batch, or_else(whole("prefill_batch", 0, most_requests, "number of prompts"), "1")},
    {Parameter::prefill_chunk, or_else(whole("prefill_chunk", 0, most_tokens, "tokens per prompt in this step"), "0")},
    {Parameter::prefill_context,
     or_else(whole("prefill_context", 0, most_tokens, "cached tokens per prompt before this step"), "0")},
    {Parameter::statistic,
     or_else(choice_of("statistic", statistic_names, "statistic of repeated measurements"), "median")},
    {Parameter::fallback,
     or_else(choice_of("fallback", fallbacks,
                       "replacement of a missing table: none, or a roofline scaled by the nearest table"),
             "none")},
    {Parameter::convention, or_else(convention_of(convention_choices, "variant of reading the tables"), "measured")},
    {Parameter::block_size,
     or_else(whole("block_size", 1, 65536, "tokens per page of the cache; selects rows of attention tables"), "16")},
    {Parameter::max_request_tokens,
     or_else(whole("max_request_tokens", 1, most_tokens, "length of the requests in max_batch"), "4096")},
    {Parameter::memory_margin, or_else(real("memory_margin", "1", 0, 1, "unused share of the memory"), "0.1")},
    {Parameter::processor_overhead,
     or_else(choice_of("processor_overhead", processor_overheads, "host processor overhead per batch"), "none")},
    {Parameter::head,
     open(choice_of("head", heads, "embedding, output layer and sampling: none (free), or analytical (from tables)"),
          "analytical; none with convention vidur")},
    {Parameter::launch_overhead, or_else(real("launch_overhead", "s", 0, 1, "added to every all-reduce"), "20 us")},
    {Parameter::skew_overhead,
     or_else(real("skew_overhead", "s", 0, 1, "added to every all-reduce, times tensor_parallel^1.25"), "0 s")},
    {Parameter::token_granularity,
     open(whole("token_granularity", 1, 65536, "tokens of a batch are rounded up to a multiple of it"),
          "the convention's")},
    {Parameter::context_granularity,
     open(whole("context_granularity", 1, 65536, "contexts are rounded up to a multiple of it"), "the convention's")},
    {Parameter::decode_batching_overhead,
     open(real("decode_batching_overhead", "1", 0, 10,
               "share added to decode attention of several requests with grouped queries"),
          "the convention's")},
    {Parameter::prefill_batching_overhead,
     open(real("prefill_batching_overhead", "1", 0, 10,
               "share added to prefill attention of several prompts with grouped queries"),
          "the convention's")},
    {Parameter::dram_capacity,
     device_override("device.memory_capacity", "dram_capacity", "B", "the device's memory_capacity", "DRAM of a chip")},
    {Parameter::dram_bandwidth, device_override("device.memory_bandwidth", "dram_bandwidth", "B/s",
                                                "the device's memory_bandwidth", "DRAM bandwidth, for fallback")},
    {Parameter::peak_flops, device_override("device.peak_flops", "peak_flops", "FLOP/s", "the device's peak_flops",
                                            "peak rate, for fallback")},
    {Parameter::queueing,
     or_else(choice_of("queueing", queueing_choices, "steady: one batch; simulated: requests over time, as in Vidur"),
             "steady")},
    {Parameter::scheduler,
     or_else(choice_of("scheduler", vidur::scheduler_names, "how a replica forms batches"), "vllm")},
    {Parameter::routing,
     or_else(choice_of("routing", vidur::routing_names, "which replica a request goes to"), "round_robin")},
    {Parameter::replicas, or_else(whole("replicas", 1, 1e4, "copies of the model that share the requests"), "1")},
    {Parameter::requests,
     or_else(whole("requests", 1, 1e7, "number of simulated requests; all of the trace where one is given"), "128")},
    {Parameter::arrival_rate, open(real("arrival_rate", "1", 1e-6, 1e6, "requests per second for all replicas"),
                                   "the times of the trace, otherwise 1")},
    {Parameter::arrivals,
     or_else(choice_of("arrivals", vidur::arrivals_names, "distribution of the intervals between requests"),
             "poisson")},
    {Parameter::arrival_variation,
     or_else(real("arrival_variation", "1", 0.01, 100, "standard deviation over mean of the intervals, with gamma"),
             "0.5")},
    {Parameter::seed, or_else(whole("seed", 0, 4294967295, "seed of arrivals and lengths"), "42")},
    {Parameter::prompt_tokens, or_else(whole("prompt_tokens", 1, most_tokens, "mean tokens of a prompt"), "2048")},
    {Parameter::output_tokens, or_else(whole("output_tokens", 1, most_tokens, "mean tokens of an output"), "512")},
    {Parameter::prompt_spread,
     or_else(real("prompt_spread", "1", 0, 1, "prompts are uniform within this share around their mean"), "0")},
    {Parameter::output_spread,
     or_else(real("output_spread", "1", 0, 1, "outputs are uniform within this share around their mean"), "0")},
    {Parameter::batch_limit,
     or_else(whole("batch_limit", 1, most_requests, "most requests that a replica runs"), "128")},
    {Parameter::chunk_tokens,
     or_else(whole("chunk_tokens", 1, most_tokens, "tokens of a batch, with scheduler sarathi"), "512")},
    {Parameter::prompt_batch_tokens,
     or_else(whole("prompt_batch_tokens", 1, most_tokens, "tokens of a batch of prompts, with vllm and lightllm"),
             "4096")},
    {Parameter::waiting_steps,
     or_else(whole("waiting_steps", 1, most_requests, "steps between two batches of prompts, with lightllm"), "10")},
    {Parameter::cache_blocks,
     open(whole("cache_blocks", 1, 4e9, "blocks of the cache of a replica"), "what fits in memory beside the weights")},
    {Parameter::watermark,
     or_else(real("watermark", "1", 0, 1, "share of the blocks that a new request leaves free, with vllm and sarathi"),
             "0.01")},
    {Parameter::time_limit,
     open(real("time_limit", "s", 1e-9, 1e12, "simulated time after which a run stops"), "none")},
    {Parameter::waiting_time_limit,
     open(real("waiting_time_limit", "s", 1e-9, 1e9, "limit of waiting_time in the search for the capacity"),
          "no search")},
    {Parameter::limit_quantile,
     or_else(real("limit_quantile", "1", 0, 1, "quantile of waiting_time that the limit concerns"), "0.99")},
});
static_assert(is_in_order(parameter_rows, Parameter::model, Parameter::prices));
constexpr auto parameter_table = joined(infos_of(parameter_rows), cost::price_parameters, cost::ownership_parameters);
static_assert(parameter_table.size() == count_of<Parameter>);

}  // namespace

std::span<const ParameterInfo> parameters() {
  return parameter_table;
}

}  // namespace dfsweep::profiled
