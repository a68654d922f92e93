/// Rows of the published metrics, statuses and data.
#include <array>

#include "models/profiled/points/published.hpp"
#include "models/published_rows.hpp"

namespace dfsweep::profiled {

namespace {

using namespace published;

constexpr std::string_view coverages[] = {"measured", "interpolated", "extrapolated", "analytical"};
constexpr std::string_view data_files[] = {"mlp.csv",       "attention.csv", "all_reduce.csv",
                                           "allreduce.csv", "send_recv.csv", "cpu_overheads.csv"};

constexpr MetricInfo time_of(std::string_view name, std::string_view meaning) {
  return if_known(metric_of(name, "s", Better::lower, meaning));
}

/// A metric that is also known where memory is too small or tables are missing.
constexpr MetricInfo known_apart(MetricInfo info) {
  return if_known(also_at(info, Status::no_profile, Status::out_of_memory));
}

/// A metric of simulated runs, also of those that did not end.
constexpr MetricInfo simulated(MetricInfo info) {
  return if_known(also_at(info, Status::unfinished));
}

constexpr MetricInfo simulated_time(std::string_view name, std::string_view meaning) {
  return simulated(time_of(name, meaning));
}

constexpr MetricInfo operator_time_of(std::string_view name, std::string_view meaning) {
  return known_apart(time_of(name, meaning));
}

constexpr std::string_view capacity_fields[] = {"device.memory_capacity"};
constexpr std::string_view peak_fields[] = {"device.peak_flops"};

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
     if_known(metric_of("token_rate", "s-1", Better::higher,
                        "tokens of the batch over the time of the slowest stage; simulated: output tokens over the "
                        "makespan"))},
    {Metric::memory_used,
     known_apart(metric_of("memory_used", "byte", Better::lower, "weights and cache of the fullest chip"))},
    {Metric::max_batch, needs(known_apart(metric_of("max_batch", "1", Better::higher,
                                                    "requests of max_request_tokens that fit in memory")),
                              capacity_fields)},
    {Metric::coverage, if_known(flags_of(metric_of("coverage", "1", Better::lower,
                                                   "worst coverage of layers, exchanges and processor by measurements"),
                                         coverages))},
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
    {Metric::time_to_first_token,
     simulated_time("time_to_first_token", "mean of the times from arrival to the first output token")},
    {Metric::time_to_first_token_p50,
     simulated_time("time_to_first_token_p50", "median of the times from arrival to the first output token")},
    {Metric::time_to_first_token_p90,
     simulated_time("time_to_first_token_p90", "90 % quantile of the times from arrival to the first output token")},
    {Metric::time_to_first_token_p99,
     simulated_time("time_to_first_token_p99", "99 % quantile of the times from arrival to the first output token")},
    {Metric::time_per_output_token,
     simulated_time("time_per_output_token", "mean of (completion - first token) / output tokens of requests")},
    {Metric::time_per_output_token_p50,
     simulated_time("time_per_output_token_p50", "median of (completion - first token) / output tokens of requests")},
    {Metric::time_per_output_token_p90,
     simulated_time("time_per_output_token_p90",
                    "90 % quantile of (completion - first token) / output tokens of requests")},
    {Metric::time_per_output_token_p99,
     simulated_time("time_per_output_token_p99",
                    "99 % quantile of (completion - first token) / output tokens of requests")},
    {Metric::token_interval,
     simulated_time("token_interval", "mean of the times between two output tokens of a request")},
    {Metric::token_interval_p50,
     simulated_time("token_interval_p50", "median of the times between two output tokens of a request")},
    {Metric::token_interval_p90,
     simulated_time("token_interval_p90", "90 % quantile of the times between two output tokens of a request")},
    {Metric::token_interval_p99,
     simulated_time("token_interval_p99", "99 % quantile of the times between two output tokens of a request")},
    {Metric::request_latency, simulated_time("request_latency", "mean of the times from arrival to completion")},
    {Metric::request_latency_p50,
     simulated_time("request_latency_p50", "median of the times from arrival to completion")},
    {Metric::request_latency_p90,
     simulated_time("request_latency_p90", "90 % quantile of the times from arrival to completion")},
    {Metric::request_latency_p99,
     simulated_time("request_latency_p99", "99 % quantile of the times from arrival to completion")},
    {Metric::waiting_time, simulated_time("waiting_time", "mean of the times from arrival to the first batch")},
    {Metric::waiting_time_p50,
     simulated_time("waiting_time_p50", "median of the times from arrival to the first batch")},
    {Metric::waiting_time_p90,
     simulated_time("waiting_time_p90", "90 % quantile of the times from arrival to the first batch")},
    {Metric::waiting_time_p99,
     simulated_time("waiting_time_p99", "99 % quantile of the times from arrival to the first batch")},
    {Metric::batch_time, simulated_time("batch_time", "mean of the times of batches through all stages")},
    {Metric::batch_time_p50, simulated_time("batch_time_p50", "median of the times of batches through all stages")},
    {Metric::batch_time_p90,
     simulated_time("batch_time_p90", "90 % quantile of the times of batches through all stages")},
    {Metric::batch_time_p99,
     simulated_time("batch_time_p99", "99 % quantile of the times of batches through all stages")},
    {Metric::request_rate,
     simulated(metric_of("request_rate", "s-1", Better::higher, "completed requests over the makespan"))},
    {Metric::completed_requests,
     simulated(metric_of("completed_requests", "1", Better::higher, "requests completed in the simulated run"))},
    {Metric::makespan, simulated_time("makespan", "from the first arrival to the last completion")},
    {Metric::batches, simulated(metric_of("batches", "1", Better::neither, "batches of the simulated run"))},
    {Metric::running_batch, simulated(metric_of("running_batch", "1", Better::neither, "mean requests of a batch"))},
    {Metric::tokens_per_batch,
     simulated(metric_of("tokens_per_batch", "1", Better::neither, "mean tokens of a batch"))},
    {Metric::preemptions,
     simulated(metric_of("preemptions", "1", Better::lower, "restarts of requests for which no block was free"))},
    {Metric::preempted_requests,
     simulated(metric_of("preempted_requests", "1", Better::lower, "requests that were restarted"))},
    {Metric::cache_use,
     simulated(metric_of("cache_use", "1", Better::neither, "share of the blocks in use, mean over time"))},
    {Metric::sampled_cache_use,
     simulated(metric_of("sampled_cache_use", "1", Better::neither,
                         "share of the blocks in use, mean over begins and ends of batches"))},
    {Metric::utilization, simulated(metric_of("utilization", "1", Better::higher,
                                              "share of the time in which a stage works, mean over stages"))},
    {Metric::model_flops_utilization,
     needs(simulated(metric_of("model_flops_utilization", "1", Better::higher,
                               "FLOP of the layers over peak rate and time, mean over stages")),
           peak_fields)},
    {Metric::capacity,
     simulated(metric_of("capacity", "s-1", Better::higher,
                         "highest arrival rate that keeps waiting_time_limit; not applicable without it"))},
    {Metric::system_cost, if_known(cost::system_cost)},
    {Metric::system_power, if_known(cost::system_power)},
    {Metric::energy_per_token,
     if_known(metric_of("energy_per_token", "J", Better::lower, "system_average_power over token_rate"))},
});
static_assert(is_in_order(metric_rows, Metric::step_time, Metric::prices));
/// Watts of devices without a stated rate are unknown.
constexpr auto watts_metrics = [] {
  auto metrics = cost::watts_metrics;
  for (MetricInfo& metric : metrics) metric = if_known(metric);
  return metrics;
}();
constexpr auto metric_table =
    joined(infos_of(metric_rows), cost::price_metrics, watts_metrics, cost::ownership_metrics);
static_assert(metric_table.size() == count_of<Metric>);

constexpr auto status_rows = std::to_array<Row<Status, StatusInfo>>({
    {Status::ok, {"ok", "estimated"}},
    {Status::failed, {"failed", "a defect of dfsweep"}},
    {Status::invalid, {"invalid", "the batch is empty or given twice, or stages and layers contradict each other"}},
    {Status::no_profile, {"no_profile", "no table for the model, device, degree or network, or a model with experts"}},
    {Status::out_of_memory, {"out_of_memory", "the data of a chip does not fit in its memory"}},
    {Status::unfinished, {"unfinished", "the simulated run ended while requests waited or memory was held"}},
    {Status::out_of_blocks, {"out_of_blocks", "a step of lightllm needed more blocks than there were"}},
});
static_assert(is_in_order(status_rows));
constexpr auto status_table = infos_of(status_rows);

constexpr DataInfo profiles_info() {
  DataInfo info;
  info.name = "profiles";
  info.meaning = "folder of measured operator tables, compute/DEVICE/MODEL/*.csv and network/NETWORK/*.csv";
  info.required = true;
  info.files = data_files;
  info.form = DataForm::profiles;
  return info;
}
constexpr DataInfo trace_info() {
  DataInfo info;
  info.name = "trace";
  info.meaning = "CSV of simulated requests with columns arrival (s), prompt and output (tokens)";
  return info;
}
constexpr std::array data_table{profiles_info(), trace_info()};

constexpr std::string_view headline[] = {"step_time",
                                         "time_to_first_token",
                                         "time_per_output_token",
                                         "request_latency_p99",
                                         "request_rate",
                                         "token_rate",
                                         "capacity",
                                         "memory_used",
                                         "max_batch",
                                         "coverage",
                                         "expected_error"};
constexpr std::string_view step_parts[] = {"attention_time", "mlp_time",       "tensor_comm_time", "pipeline_comm_time",
                                           "processor_time", "embedding_time", "output_time",      "sampling_time"};
constexpr ResultViews::TradeOff trade_offs[] = {{"step_time", "token_rate"}, {"memory_used", "token_rate"}};
constexpr ResultViews result_views = {headline, "step_time", step_parts, ResultViews::Parts::add_up, trade_offs};

}  // namespace

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
