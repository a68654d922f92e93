/// Rows of the published metrics and statuses.
#include <array>

#include "models/evidence.hpp"
#include "models/machine/number_format.hpp"
#include "models/published_rows.hpp"
#include "models/step_rows.hpp"
#include "models/training/points/published.hpp"

namespace dfsweep::training {

namespace {

using namespace published;

constexpr std::uint32_t with_memory =
    1U << code_of(Status::ok) | 1U << code_of(Status::device_memory) | 1U << code_of(Status::host_memory);

/// Valid also where the memory does not suffice.
constexpr MetricInfo metric(std::string_view name, std::string_view unit, Better better, std::string_view meaning) {
  MetricInfo info = metric_of(name, unit, better, meaning);
  info.valid_statuses = with_memory;
  return info;
}

consteval MetricInfo shared(std::string_view name) {
  return step_rows::metric(name, with_memory);
}

constexpr MetricInfo time_of(std::string_view name, std::string_view meaning) {
  return metric(name, "s", Better::lower, meaning);
}

constexpr auto metric_rows = std::to_array<Row<Metric, MetricInfo>>({
    {Metric::step_time, shared("step_time")},
    {Metric::forward_time, shared("forward_time")},
    {Metric::backward_time, shared("backward_time")},
    {Metric::optimizer_time, shared("optimizer_time")},
    {Metric::recompute_time, shared("recompute_time")},
    {Metric::bubble_time, shared("bubble_time")},
    {Metric::tensor_comm_time, shared("tensor_comm_time")},
    {Metric::pipeline_comm_time, shared("pipeline_comm_time")},
    {Metric::data_comm_time, shared("data_comm_time")},
    {Metric::offload_time, shared("offload_time")},
    {Metric::memory_used, shared("memory_used")},
    {Metric::offload_used, shared("offload_used")},
    {Metric::sample_rate, shared("sample_rate")},
    {Metric::token_rate, shared("token_rate")},
    {Metric::token_rate_per_device, shared("token_rate_per_device")},
    {Metric::utilization, shared("utilization")},
    {Metric::system_cost, shared("system_cost")},
    {Metric::system_power, shared("system_power")},
    {Metric::energy_per_token,
     if_known(metric("energy_per_token", "J", Better::lower, "system_average_power over token_rate"))},
    {Metric::shortfall, shared("shortfall")},
    {Metric::model_flops_utilization,
     if_known(metric("model_flops_utilization", "1", Better::higher, "useful FLOP, causal attention, over peak FLOP"))},
    {Metric::model_flops_utilization_full, if_known(metric("model_flops_utilization_full", "1", Better::higher,
                                                           "the same, whole squares of attention counted"))},
    {Metric::hardware_flops_utilization, if_known(metric("hardware_flops_utilization", "1", Better::higher,
                                                         "executed FLOP, repeated ones too, over peak"))},
    {Metric::expert_comm_time, if_known(time_of("expert_comm_time", "exposed exchanges of tokens with experts"))},
    {Metric::context_comm_time,
     if_known(time_of("context_comm_time", "exposed exchanges of devices that share a sequence"))},
    {Metric::host_time, if_known(time_of("host_time", "waiting for the host to launch kernels"))},
    {Metric::imbalance_time, if_known(time_of("imbalance_time", "by which the heaviest stage exceeds the mean one"))},
    {Metric::straggler_time, if_known(time_of("straggler_time", "waiting for the slowest of all devices"))},
    {Metric::cost_per_million_tokens, if_known(metric("cost_per_million_tokens", "USD", Better::lower,
                                                      "price of the device hours of a million tokens"))},
    {Metric::compute_precision,
     flags_of(metric("compute_precision", "1", Better::neither,
                     "number format of the matrix products: the next wider one where the chip lacks the precision"),
              number_format_names)},
    {Metric::evidence, flags_of(metric("evidence", "1", Better::neither, evidence_meaning), evidence_names)},
});
static_assert(is_in_order(metric_rows, Metric::step_time, Metric::prices));

constexpr auto calibrated_rows = std::to_array<Row<Metric, MetricInfo>>({
    {Metric::expected_error,
     if_known(metric(
         "expected_error", "1", Better::lower,
         "median size of the relative error of step_time, by measured runs that the software's fit has not seen"))},
    {Metric::step_time_low, if_known(time_of("step_time_low", "95 % of such runs take longer"))},
    {Metric::step_time_high, if_known(time_of("step_time_high", "95 % of such runs take less"))},
    {Metric::expected_memory_error,
     if_known(
         metric("expected_memory_error", "1", Better::lower,
                "median size of the relative error of memory_used, by runs that the software's fit has not seen"))},
    {Metric::memory_used_low,
     if_known(metric("memory_used_low", "byte", Better::lower, "95 % of such runs need more"))},
    {Metric::memory_used_high,
     if_known(metric("memory_used_high", "byte", Better::lower, "95 % of such runs need less"))},
});
static_assert(is_in_order(calibrated_rows, Metric::expected_error, Metric::count));

constexpr auto metric_table = joined(infos_of(metric_rows), valid_at(cost::price_metrics, with_memory),
                                     valid_at(cost::watts_metrics, with_memory), infos_of(calibrated_rows),
                                     valid_at(whole_run::run_metrics, with_memory));

constexpr auto status_rows = std::to_array<Row<Status, StatusInfo>>({
    {Status::ok, {"ok", "runs"}},
    {Status::failed, {"failed", "a defect of dfsweep"}},
    {Status::device_memory, {"out_of_memory", "the memory of a device is too small", "mem_tier1"}},
    {Status::host_memory,
     {"out_of_host_memory", "the memory of the host is too small for what is offloaded", "mem_tier2"}},
    {Status::devices_not_positive, {"no_devices", "device_count is not positive", "procs_not_positive"}},
    {Status::tensor_parallel_not_positive,
     {"tensor_parallel_too_small", "tensor_parallel is not positive", "tensor_par_not_positive"}},
    {Status::pipeline_parallel_not_positive,
     {"pipeline_parallel_too_small", "pipeline_parallel is not positive", "pipeline_par_not_positive"}},
    {Status::data_parallel_not_positive,
     {"data_parallel_too_small", "data_parallel is not positive: the other degrees need more devices than there are",
      "data_par_not_positive"}},
    {Status::degrees_product,
     {"degrees_do_not_multiply", "the product of the degrees is not device_count", "tp_pp_dp_product"}},
    {Status::no_batch,
     {"no_batch", "global_batch is not positive, or max_batch is below data_parallel", "batch_not_positive"}},
    {Status::micro_batch_not_positive,
     {"micro_batch_too_small", "micro_batch is not positive", "microbatch_not_positive"}},
    {Status::unknown_recompute, {"unknown_recompute", "recompute 'other' is unknown", "bad_recompute_mode"}},
    {Status::interleaving_not_positive,
     {"interleaving_too_small", "interleaving is not positive", "interleaving_not_positive"}},
    {Status::interleaving_with_one_stage,
     {"interleaving_with_one_stage", "interleaving with one pipeline stage", "interleaving_with_pp1"}},
    {Status::unknown_tensor_overlap, {"unknown_tensor_overlap", "tensor_overlap 'other' is unknown", "bad_tp_overlap"}},
    {Status::no_number_format,
     {"no_number_format", "the chip multiplies neither the precision nor a wider one", "datatype_not_in_system"}},
    {Status::degrees_do_not_divide,
     {"degrees_do_not_divide", "a degree does not divide what it splits: heads, replicas or the vocabulary's rows"}},
    {Status::batch_too_small,
     {"batch_too_small", "fewer sequences than replicas, or a micro-batch larger than a replica's share"}},
    {Status::too_many_stages, {"too_many_stages", "more stages, or chunks of stages, than layers"}},
    {Status::no_host_memory, {"no_host_memory", "something is offloaded, and the system has no memory of a host"}},
    {Status::no_sequence_length,
     {"no_sequence_length", "neither the sweep nor the model gives the tokens of a sequence: set sequence_length"}},
    {Status::shape_does_not_fit,
     {"shape_does_not_fit",
      "a shape without topology, of other dimensions, of other devices, or that cuts a node or a pod"}},
    {Status::no_vocabulary, {"no_vocabulary", "the model has no field 'vocabulary', the size of its output layer"}},
    {Status::schedule_not_interleaved,
     {"schedule_not_interleaved", "interleaving above 1 with zero_bubble or dual_pipe, which have no such form"}},
    {Status::too_few_micro_batches,
     {"too_few_micro_batches",
      "the schedule cannot start: interleaving needs as many micro-batches as stages, dual_pipe twice as many"}},
    {Status::odd_dual_pipe, {"odd_dual_pipe", "dual_pipe needs even numbers of stages and of micro-batches"}},
    {Status::stack_cannot_run,
     {"stack_cannot_run",
      "the lists of the software entry have no such schedule, chunks, sharding, tensor overlap or number format"}},
    {Status::unknown_attention,
     {"unknown_attention", "the model has linear or sparse attention, whose training is not modelled"}},
    {Status::power_limit_too_low, {"power_limit_too_low", "power_limit is not above the idle power of the device"}},
});
static_assert(is_in_order(status_rows));
constexpr auto status_table = joined(infos_of(status_rows), whole_run::run_statuses);

constexpr std::string_view headline[] = {
    "time_to_target",          "loss",        "train_days",     "train_cost", "token_rate_per_device", "step_time",
    "model_flops_utilization", "memory_used", "expected_error", "evidence"};
constexpr std::string_view step_parts[] = {
    "forward_time",      "backward_time", "recompute_time", "tensor_comm_time", "expert_comm_time",
    "context_comm_time", "host_time",     "imbalance_time", "bubble_time",      "pipeline_comm_time",
    "data_comm_time",    "offload_time",  "optimizer_time", "straggler_time"};
constexpr ResultViews::TradeOff trade_offs[] = {{"memory_used", "step_time"},
                                                {"system_cost", "step_time"},
                                                {"train_cost", "time_to_train"},
                                                {"train_energy", "time_to_train"},
                                                {"cost_to_target", "time_to_target"}};
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

}  // namespace dfsweep::training
