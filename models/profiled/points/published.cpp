/// Rows of the published tables.
#include "models/profiled/points/published.hpp"

#include <array>

#include "models/published_rows.hpp"

namespace dfsweep::profiled {

namespace {

using namespace published;

constexpr double most_requests = 1e6;
constexpr double most_tokens = 1e8;
constexpr std::string_view fallbacks[] = {"none", "analytical"};
constexpr std::string_view convention_choices[] = {"measured", "vidur"};
constexpr std::string_view processor_overheads[] = {"none", "tables"};
constexpr std::string_view heads[] = {"none", "analytical"};
constexpr std::string_view coverages[] = {"measured", "interpolated", "extrapolated", "analytical"};
constexpr std::string_view data_files[] = {"mlp.csv",       "attention.csv", "all_reduce.csv",
                                           "allreduce.csv", "send_recv.csv", "cpu_overheads.csv"};

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
    {Parameter::requests,
     open(text("requests", "the batch as a list, such as 8xd1@1000;p512@0 (d1@CONTEXT, pCHUNK@CONTEXT)"),
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
});
static_assert(is_in_order(parameter_rows));
constexpr auto parameter_table = infos_of(parameter_rows);

constexpr MetricInfo time_of(std::string_view name, std::string_view meaning) {
  return metric_of(name, "s", Better::lower, meaning);
}

/// A metric that is also known where memory is too small or tables are missing.
constexpr MetricInfo known_apart(MetricInfo info) {
  return if_known(also_at(info, Status::no_profile, Status::out_of_memory));
}

constexpr MetricInfo operator_time_of(std::string_view name, std::string_view meaning) {
  return known_apart(time_of(name, meaning));
}

constexpr std::string_view capacity_fields[] = {"device.memory_capacity"};

constexpr auto metric_rows = std::to_array<Row<Metric, MetricInfo>>({
    {Metric::step_time, time_of("step_time", "time of the batch in one stage, or through all stages")},
    {Metric::attention_time, time_of("attention_time", "attention with its projections and norm, all counted layers")},
    {Metric::mlp_time, time_of("mlp_time", "feed-forward network with its norm, and residual additions")},
    {Metric::tensor_comm_time, time_of("tensor_comm_time", "all-reduces within layers")},
    {Metric::pipeline_comm_time, time_of("pipeline_comm_time", "transfers between stages")},
    {Metric::processor_time, time_of("processor_time", "host processor overhead, all counted stages")},
    {Metric::embedding_time,
     time_of("embedding_time", "embedding, and the all-reduce after a sharded table; 0 where not included")},
    {Metric::output_time, time_of("output_time", "output layer; 0 where not included")},
    {Metric::sampling_time, time_of("sampling_time", "sampling from the logits; 0 where not included")},
    {Metric::token_rate,
     metric_of("token_rate", "s-1", Better::higher, "tokens of the batch over the time of the slowest stage")},
    {Metric::memory_used,
     known_apart(metric_of("memory_used", "byte", Better::lower, "weights and cache of the fullest chip"))},
    {Metric::max_batch, needs(known_apart(metric_of("max_batch", "1", Better::higher,
                                                    "requests of max_request_tokens that fit in memory")),
                              capacity_fields)},
    {Metric::coverage, flags_of(metric_of("coverage", "1", Better::lower,
                                          "worst coverage of layers, exchanges and processor by measurements"),
                                coverages)},
    {Metric::head_coverage,
     if_known(flags_of(
         metric_of("head_coverage", "1", Better::lower,
                   "worst coverage of embedding, output layer and sampling; not applicable where they are free"),
         coverages))},
    {Metric::expected_error,
     if_known(metric_of(
         "expected_error", "1", Better::lower,
         "relative error of step_time if all operators have their cross-validation error with the same sign"))},
    {Metric::attn_pre_proj_time,
     operator_time_of("attn_pre_proj_time", "query, key and value projections, of one layer")},
    {Metric::attn_post_proj_time, operator_time_of("attn_post_proj_time", "output projection, of one layer")},
    {Metric::mlp_up_proj_time, operator_time_of("mlp_up_proj_time", "up and gate projections, of one layer")},
    {Metric::mlp_down_proj_time, operator_time_of("mlp_down_proj_time", "down projection, of one layer")},
    {Metric::mlp_act_time, operator_time_of("mlp_act_time", "activation function, of one layer")},
    {Metric::input_layernorm_time, operator_time_of("input_layernorm_time", "norm before attention, of one layer")},
    {Metric::attn_rope_time, operator_time_of("attn_rope_time", "rotary embedding, of one layer")},
    {Metric::add_time, operator_time_of("add_time", "one residual addition")},
    {Metric::post_attention_layernorm_time,
     operator_time_of("post_attention_layernorm_time", "norm before the feed-forward network, of one layer")},
    {Metric::attn_kv_cache_save_time,
     operator_time_of("attn_kv_cache_save_time", "writing keys and values to the cache, of one layer")},
    {Metric::attn_prefill_time, operator_time_of("attn_prefill_time", "attention of prompts, of one layer")},
    {Metric::attn_decode_time, operator_time_of("attn_decode_time", "attention of decoding requests, of one layer")},
    {Metric::all_reduce_time,
     operator_time_of("all_reduce_time", "one all-reduce, without overheads; not applicable on one chip")},
    {Metric::send_recv_time,
     operator_time_of("send_recv_time", "slowest transfer to a next stage; not applicable with one stage")},
});
static_assert(is_in_order(metric_rows));
constexpr auto metric_table = infos_of(metric_rows);

constexpr auto status_rows = std::to_array<Row<Status, StatusInfo>>({
    {Status::ok, {"ok", "estimated"}},
    {Status::failed, {"failed", "a defect of dfsweep"}},
    {Status::invalid, {"invalid", "the batch is empty or given twice, or stages and layers contradict each other"}},
    {Status::no_profile, {"no_profile", "no table for the model, device, degree or network, or a model with experts"}},
    {Status::out_of_memory, {"out_of_memory", "the data of a chip does not fit in its memory"}},
});
static_assert(is_in_order(status_rows));
constexpr auto status_table = infos_of(status_rows);

constexpr DataInfo profiles_info() {
  DataInfo info;
  info.name = "profiles";
  info.meaning = "folder of measured operator tables, compute/DEVICE/MODEL/*.csv and network/NETWORK/*.csv";
  info.required = true;
  info.files = data_files;
  return info;
}
constexpr std::array data_table{profiles_info()};

constexpr std::string_view headline[] = {"step_time", "token_rate", "memory_used",
                                         "max_batch", "coverage",   "expected_error"};
constexpr std::string_view step_parts[] = {"attention_time", "mlp_time",       "tensor_comm_time", "pipeline_comm_time",
                                           "processor_time", "embedding_time", "output_time",      "sampling_time"};
constexpr ResultViews::TradeOff trade_offs[] = {{"step_time", "token_rate"}, {"memory_used", "token_rate"}};
constexpr ResultViews result_views = {headline, "step_time", step_parts, ResultViews::Parts::add_up, trade_offs};

}  // namespace

std::span<const ParameterInfo> parameters() {
  return parameter_table;
}
ResultViews views() {
  return result_views;
}
std::span<const MetricInfo> metrics() {
  return metric_table;
}
std::span<const StatusInfo> statuses() {
  return status_table;
}
std::span<const DataInfo> data() {
  return data_table;
}

}  // namespace dfsweep::profiled
