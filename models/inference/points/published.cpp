/// Rows of the published tables.
#include "models/inference/points/published.hpp"

#include <array>

namespace dfsweep::inference::profiled {

namespace {

using enum ParameterKind;

constexpr double most_requests = 1e6;
constexpr double most_tokens = 1e8;
constexpr std::string_view fallbacks[] = {"none", "analytical"};
constexpr std::string_view convention_choices[] = {"measured", "vidur"};
constexpr std::string_view processor_overheads[] = {"none", "tables"};
constexpr std::string_view coverages[] = {"measured", "interpolated", "extrapolated", "analytical"};
constexpr std::string_view data_files[] = {"mlp.csv",       "attention.csv", "all_reduce.csv",
                                           "allreduce.csv", "send_recv.csv", "cpu_overheads.csv"};

constexpr ParameterInfo named(std::string_view name, std::string_view meaning) {
  ParameterInfo info;
  info.name = name;
  info.meaning = meaning;
  return info;
}

constexpr ParameterInfo entry_of(std::string_view name, std::string_view catalogue, std::string_view meaning) {
  ParameterInfo info = named(name, meaning);
  info.kind = entry;
  info.catalogue = catalogue;
  return info;
}

constexpr ParameterInfo or_else(ParameterInfo info, std::string_view fallback) {
  info.absence = Absence::fallback;
  info.fallback = fallback;
  return info;
}

constexpr ParameterInfo open(ParameterInfo info, std::string_view instead) {
  info.absence = Absence::from_entry;
  info.fallback = instead;
  return info;
}

constexpr ParameterInfo choice_of(std::string_view name, std::span<const std::string_view> choices,
                                  std::string_view fallback, std::string_view meaning) {
  ParameterInfo info = named(name, meaning);
  info.kind = choice;
  info.choices = choices;
  return or_else(info, fallback);
}

constexpr ParameterInfo whole(std::string_view name, double lowest, double highest, std::string_view meaning) {
  ParameterInfo info = named(name, meaning);
  info.kind = integer;
  info.lowest = lowest;
  info.highest = highest;
  return info;
}

constexpr ParameterInfo number(std::string_view name, std::string_view unit, double lowest, double highest,
                               std::string_view meaning) {
  ParameterInfo info = named(name, meaning);
  info.kind = real;
  info.unit = unit;
  info.lowest = lowest;
  info.highest = highest;
  return info;
}

constexpr ParameterInfo override_of(std::string_view name, std::string_view unit, std::string_view field,
                                    std::string_view instead, std::string_view meaning) {
  ParameterInfo info = number(name, unit, 1, 1e24, meaning);
  info.overrides = field;
  return open(info, instead);
}

constexpr ParameterInfo requests_info() {
  ParameterInfo info = named("requests", "the batch as a list, as in 8xd1@1000;p512@0 (d1@CONTEXT, pCHUNK@CONTEXT)");
  info.kind = text;
  return open(info, "decode_batch, prefill_batch and what belongs to them");
}

constexpr std::array parameter_table{
    entry_of("model", "models", "the transformer"),
    entry_of("device", "devices", "the chip"),
    open(entry_of("network", "networks", "what joins the chips"), "none: one chip"),
    or_else(whole("tensor_parallel", 1, 1e6, "chips that share a layer"), "1"),
    or_else(whole("pipeline_parallel", 1, 1e6, "stages that share the layers"), "1"),
    open(whole("stage", 0, 1e6, "the one stage of the pipeline to look at, from 0"), "all stages, one after the other"),
    requests_info(),
    or_else(whole("decode_batch", 0, most_requests, "requests that decode one token each"), "0"),
    or_else(whole("decode_context", 0, most_tokens, "tokens of each of them in the cache"), "0"),
    or_else(whole("prefill_batch", 0, most_requests, "prompts that are processed"), "1"),
    or_else(whole("prefill_chunk", 0, most_tokens, "tokens of each of them in this step"), "0"),
    or_else(whole("prefill_context", 0, most_tokens, "tokens of each of them in the cache before"), "0"),
    choice_of("statistic", statistic_names, "median", "which of the repeated measurements counts"),
    choice_of("fallback", fallbacks, "none",
              "what stands in for a table: nothing, or a roofline scaled by the nearest"),
    choice_of("convention", convention_choices, "measured", "whose reading of the tables is used"),
    or_else(whole("block_size", 1, 65536, "tokens of a page of the cache; attention tables tell theirs"), "16"),
    or_else(whole("max_request_tokens", 1, most_tokens, "longest request that max_batch counts"), "4096"),
    or_else(number("memory_margin", "1", 0, 1, "share of the memory that is not used"), "0.1"),
    choice_of("processor_overhead", processor_overheads, "none", "work of the processor for every batch"),
    or_else(number("launch_overhead", "s", 0, 1, "added to every all-reduce"), "20 us"),
    or_else(number("skew_overhead", "s", 0, 1, "added to every all-reduce, times tensor_parallel^1.25"), "0 s"),
    open(whole("token_granularity", 1, 65536, "tokens of a batch are rounded up to a multiple"), "the convention's"),
    open(whole("context_granularity", 1, 65536, "contexts are rounded up to a multiple"), "the convention's"),
    open(number("decode_batching_overhead", "1", 0, 10,
                "share added to decode attention of several requests with grouped queries"),
         "the convention's"),
    open(number("prefill_batching_overhead", "1", 0, 10,
                "share added to prefill attention of several prompts with grouped queries"),
         "the convention's"),
    override_of("dram_capacity", "B", "device.memory_capacity", "the device's memory_capacity", "DRAM of a chip"),
    override_of("dram_bandwidth", "B/s", "device.memory_bandwidth", "the device's memory_bandwidth",
                "DRAM bandwidth, for fallback"),
    override_of("peak_flops", "FLOP/s", "device.peak_flops", "the device's peak_flops", "peak rate, for fallback"),
};
static_assert(parameter_table.size() == parameter_count);

constexpr MetricInfo metric_of(std::string_view name, std::string_view unit, Better better, std::string_view meaning) {
  MetricInfo info;
  info.name = name;
  info.unit = unit;
  info.better = better;
  info.meaning = meaning;
  return info;
}

constexpr MetricInfo time_of(std::string_view name, std::string_view meaning) {
  return metric_of(name, "s", Better::lower, meaning);
}

constexpr MetricInfo memory_info(MetricInfo info) {
  info.valid_statuses = 1u << ok | 1u << no_profile | 1u << out_of_memory;
  info.may_not_apply = true;
  return info;
}

/// Known also where other operators have no table.
constexpr MetricInfo operator_info(std::string_view name, std::string_view meaning) {
  MetricInfo info = time_of(name, meaning);
  info.valid_statuses = 1u << ok | 1u << no_profile | 1u << out_of_memory;
  info.may_not_apply = true;
  return info;
}

constexpr MetricInfo coverage_info() {
  MetricInfo info = metric_of("coverage", "1", Better::lower, "the weakest ground that the estimate stands on");
  info.type = MetricType::flags;
  info.flags = coverages;
  return info;
}

constexpr MetricInfo error_info() {
  MetricInfo info = metric_of("expected_error", "1", Better::lower,
                              "relative error of step_time if all operators err as cross-validation says, to one side");
  info.may_not_apply = true;
  return info;
}

constexpr std::array metric_table{
    time_of("step_time", "time of the batch in the stage, or through all stages"),
    time_of("attention_time", "attention with its projections and norm, of all layers counted"),
    time_of("mlp_time", "feed-forward network with its norm, and residual additions"),
    time_of("tensor_comm_time", "all-reduces inside layers"),
    time_of("pipeline_comm_time", "transfers from stage to stage"),
    time_of("processor_time", "work of the processor, of all stages counted"),
    metric_of("token_rate", "s-1", Better::higher, "tokens of the batch over the time of the slowest stage"),
    memory_info(metric_of("memory_used", "byte", Better::lower, "weights and cache of the fullest chip")),
    memory_info(metric_of("max_batch", "1", Better::higher, "requests of max_request_tokens that fit")),
    coverage_info(),
    error_info(),
    operator_info("attn_pre_proj_time", "query, key and value projections, of one layer"),
    operator_info("attn_post_proj_time", "output projection, of one layer"),
    operator_info("mlp_up_proj_time", "up and gate projections, of one layer"),
    operator_info("mlp_down_proj_time", "down projection, of one layer"),
    operator_info("mlp_act_time", "activation function, of one layer"),
    operator_info("input_layernorm_time", "norm before attention, of one layer"),
    operator_info("attn_rope_time", "rotary embedding, of one layer"),
    operator_info("add_time", "one residual addition"),
    operator_info("post_attention_layernorm_time", "norm before the feed-forward network, of one layer"),
    operator_info("attn_kv_cache_save_time", "writing keys and values to the cache, of one layer"),
    operator_info("attn_prefill_time", "attention of prompts, of one layer"),
    operator_info("attn_decode_time", "attention of requests that decode, of one layer"),
    operator_info("all_reduce_time", "one all-reduce, without overheads; not applicable on one chip"),
    operator_info("send_recv_time", "one transfer to the next stage, the dearest kind; not applicable without one"),
};
static_assert(metric_table.size() == metric_count);

constexpr std::array status_table{
    StatusInfo{"ok", "estimated"},
    StatusInfo{"failed", "a defect of the program"},
    StatusInfo{"invalid", "the batch is empty or given twice, or stages and layers contradict each other"},
    StatusInfo{"no_profile", "no table for the model, device, degree or network"},
    StatusInfo{"out_of_memory", "the memory of a chip does not hold its share"},
};

constexpr DataInfo profiles_info() {
  DataInfo info;
  info.name = "profiles";
  info.meaning = "folder of measured operator tables, compute/DEVICE/MODEL/*.csv and network/NETWORK/*.csv";
  info.required = true;
  info.files = data_files;
  return info;
}
constexpr std::array data_table{profiles_info()};

}  // namespace

std::span<const ParameterInfo> parameters() {
  return parameter_table;
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

}  // namespace dfsweep::inference::profiled
