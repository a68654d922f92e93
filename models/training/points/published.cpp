/// Rows of the published tables.
#include "models/training/points/published.hpp"

#include <algorithm>
#include <array>

#include "models/published_rows.hpp"

namespace dfsweep::training {

namespace {

using namespace published;
using calculon::Rejection;

constexpr double most_count = 1e9;
/// Degrees below 1 are legal, because each broken rule is a status with a name of its own.
constexpr double least_count = -1e6;

constexpr std::string_view precisions[] = {"fp32", "bf16", "fp16", "fp8", "other"};
constexpr std::string_view phases[] = {"train", "forward"};
constexpr std::string_view attentions[] = {"multihead", "multiquery", "grouped", "latent", "other"};
constexpr std::string_view recomputes[] = {"full", "attention", "none", "selective", "other"};
constexpr std::string_view tensor_comms[] = {"all_reduce", "p2p_reduce_scatter_all_gather", "reduce_scatter_all_gather",
                                             "other"};
constexpr std::string_view tensor_overlaps[] = {"none", "ring", "pipe", "other"};
constexpr std::string_view conventions[] = {"calculon"};

/// 0 or 1.
constexpr ParameterInfo flag(std::string_view name, std::string_view fallback, std::string_view meaning) {
  return or_else(whole(name, 0.0, 1.0, meaning), fallback);
}

constexpr auto parameter_rows = std::to_array<Row<Parameter, ParameterInfo>>({
    {Parameter::model, entry_of("model", "models", "the transformer")},
    {Parameter::system,
     entry_of("system", "systems", "engines, memory tiers and network tiers with their efficiencies")},
    {Parameter::device_count, whole("device_count", least_count, most_count, "devices")},
    {Parameter::tensor_parallel,
     or_else(whole("tensor_parallel", least_count, most_count, "devices that share a layer"), "1")},
    {Parameter::pipeline_parallel,
     or_else(whole("pipeline_parallel", least_count, most_count, "stages of layers"), "1")},
    {Parameter::data_parallel, open(whole("data_parallel", least_count, most_count, "replicas"),
                                    "device_count over the product of the other degrees, rounded down")},
    {Parameter::tensor_network,
     or_else(whole("tensor_network", -1000, 1000, "network tier of tensor parallelism, from 0"), "0")},
    {Parameter::pipeline_network,
     open(whole("pipeline_network", -1000, 1000, "network tier of pipeline parallelism"), "the system's last tier")},
    {Parameter::data_network,
     open(whole("data_network", -1000, 1000, "network tier of data parallelism"), "the system's last tier")},
    {Parameter::global_batch, open(whole("global_batch", least_count, most_count, "sequences of a step"),
                                   "the largest multiple of data_parallel up to max_batch")},
    {Parameter::max_batch,
     open(whole("max_batch", 1, most_count, "largest global batch, where global_batch is not given"),
          "the model's global_batch")},
    {Parameter::micro_batch,
     or_else(whole("micro_batch", least_count, most_count, "sequences of a replica that are worked on at once"), "1")},
    {Parameter::sequence_length,
     open(whole("sequence_length", 1, 1e7, "tokens of a sequence"), "the model's sequence_length")},
    {Parameter::precision,
     or_else(choice_of("precision", precisions, "number format of weights and activations"), "fp16")},
    {Parameter::phase, or_else(choice_of("phase", phases, "training step or forward pass"), "train")},
    {Parameter::fused_activation,
     flag("fused_activation", "1", "1: the activation function keeps nothing for backward")},
    {Parameter::attention,
     or_else(choice_of("attention", attentions, "heads of keys and values: one per query head, or one"), "multihead")},
    {Parameter::recompute,
     or_else(choice_of("recompute", recomputes, "what backward computes again: everything, the attention, nothing"),
             "none")},
    {Parameter::interleaving,
     or_else(whole("interleaving", least_count, most_count, "chunks of layers that a stage has"), "1")},
    {Parameter::optimizer_sharding,
     or_else(whole("optimizer_sharding", 0, 1, "1: optimizer state and stored gradients are divided by replicas"),
             "0")},
    {Parameter::tensor_comm,
     or_else(choice_of("tensor_comm", tensor_comms, "collectives of tensor parallelism"), "all_reduce")},
    {Parameter::tensor_overlap, or_else(choice_of("tensor_overlap", tensor_overlaps,
                                                  "how these overlap with products: in tiles of a ring or pipe"),
                                        "none")},
    {Parameter::sequence_parallel_redo,
     flag("sequence_parallel_redo", "0",
          "1: backward gathers sequence-parallel inputs again, nothing gathered is kept")},
    {Parameter::data_overlap, flag("data_overlap", "0", "1: the reduction of gradients overlaps with backward")},
    {Parameter::weight_offload, flag("weight_offload", "0", "1: weights live in memory tier 2")},
    {Parameter::activation_offload, flag("activation_offload", "0", "1: kept activations live in memory tier 2")},
    {Parameter::optimizer_offload,
     flag("optimizer_offload", "0", "1: optimizer state and gradients live in memory tier 2")},
    {Parameter::train_tokens,
     open(real("train_tokens", "1", 1.0, 1e30, "tokens trained on, for times and energy of the whole run"),
          "unknown: metrics of the whole run do not apply")},
    {Parameter::convention,
     or_else(choice_of("convention", conventions, "whose reading of the formulas is used"), "calculon")},
});
static_assert(is_in_order(parameter_rows));
constexpr auto parameter_table = infos_of(parameter_rows);

constexpr std::uint32_t with_memory = 1U << status_of(Rejection::none) | 1U << status_of(Rejection::memory_tier_1) |
                                      1U << status_of(Rejection::memory_tier_2);

/// Valid also where the memory does not suffice.
constexpr MetricInfo metric(std::string_view name, std::string_view unit, Better better, std::string_view meaning) {
  MetricInfo info = metric_of(name, unit, better, meaning);
  info.valid_statuses = with_memory;
  return info;
}

constexpr MetricInfo time_of(std::string_view name, std::string_view meaning) {
  return metric(name, "s", Better::lower, meaning);
}

constexpr auto own_metric_rows = std::to_array<Row<Metric, MetricInfo>>({
    {Metric::step_time, time_of("step_time", "time of a step")},
    {Metric::forward_time, time_of("forward_time", "forward processing of all micro batches")},
    {Metric::backward_time,
     time_of("backward_time", "backward processing of all micro batches, without recomputation")},
    {Metric::optimizer_time, time_of("optimizer_time", "update of the weights")},
    {Metric::recompute_time, time_of("recompute_time", "forward processing that backward repeats")},
    {Metric::bubble_time, time_of("bubble_time", "idle time of the pipeline")},
    {Metric::tensor_comm_time,
     time_of("tensor_comm_time", "exposed collectives of tensor parallelism, without those that backward repeats")},
    {Metric::pipeline_comm_time, time_of("pipeline_comm_time", "exposed transfers between stages")},
    {Metric::data_comm_time, time_of("data_comm_time", "exposed reduction of gradients")},
    {Metric::offload_time, time_of("offload_time", "waiting for memory tier 2")},
    {Metric::memory_used,
     metric("memory_used", "byte", Better::lower, "of memory tier 1, on the device that needs most")},
    {Metric::offload_used, metric("offload_used", "byte", Better::lower, "of memory tier 2")},
    {Metric::sample_rate, metric("sample_rate", "s-1", Better::higher, "sequences per second, of all devices")},
    {Metric::token_rate, metric("token_rate", "s-1", Better::higher, "tokens per second, of all devices")},
    {Metric::token_rate_per_device,
     metric("token_rate_per_device", "s-1", Better::higher, "tokens per second and device")},
    {Metric::utilization,
     metric("utilization", "1", Better::higher, "useful FLOP over peak FLOP of the step; recomputation is not useful")},
    {Metric::system_cost,
     if_known(metric("system_cost", "USD", Better::lower, "price of all devices; needs the system's price"))},
    {Metric::system_power,
     if_known(metric("system_power", "W", Better::lower, "power of all devices; needs the system's power"))},
    {Metric::time_to_train, if_known(metric("time_to_train", "s", Better::lower, "train_tokens over token_rate"))},
    {Metric::train_days, if_known(metric("train_days", "d", Better::lower, "time_to_train in days"))},
    {Metric::train_energy, if_known(metric("train_energy", "J", Better::lower, "system_power over time_to_train"))},
    {Metric::energy_per_token,
     if_known(metric("energy_per_token", "J", Better::lower, "system_power over token_rate"))},
});
static_assert(is_in_order(own_metric_rows));
constexpr auto own_metrics = infos_of(own_metric_rows);

/// A figure of the Calculon tool that is one of our metrics under our name.
struct SharedFigure {
  std::string_view output;
  Metric metric;
};
constexpr SharedFigure shared_figures[] = {
    {"total_time", Metric::step_time},
    {"fw_time", Metric::forward_time},
    {"bw_time", Metric::backward_time},
    {"optim_step_time", Metric::optimizer_time},
    {"recompute_time", Metric::recompute_time},
    {"bubble_time", Metric::bubble_time},
    {"tp_comm_exposed_time", Metric::tensor_comm_time},
    {"pp_comm_exposed_time", Metric::pipeline_comm_time},
    {"dp_comm_exposed_time", Metric::data_comm_time},
    {"proc_mem_tier1_cap_req", Metric::memory_used},
    {"proc_mem_tier2_cap_req", Metric::offload_used},
    {"sample_rate", Metric::sample_rate},
    {"total_efficiency", Metric::utilization},
};
constexpr std::size_t metric_count = count_of<Metric> + calculon::output_count - std::size(shared_figures);

constexpr Better better_of(std::string_view name) {
  return name.ends_with("efficiency") ? Better::higher : Better::lower;
}

struct MetricTable {
  std::array<MetricInfo, metric_count> infos;
  std::array<MetricIndex, calculon::output_count> of_output;
};

constexpr MetricIndex shared_metric(std::string_view output) {
  for (const SharedFigure& figure : shared_figures)
    if (figure.output == output) return index_of(figure.metric);
  return metric_count;
}

constexpr MetricTable make_metrics() {
  MetricTable table{};
  std::copy(own_metrics.begin(), own_metrics.end(), table.infos.begin());
  MetricIndex next = count_of<Metric>;
  for (std::size_t i = 0; i < calculon::output_count; ++i) {
    const calculon::OutputInfo& output = calculon::output_infos[i];
    table.of_output[i] = shared_metric(output.name);
    if (table.of_output[i] != metric_count) continue;
    MetricInfo info = metric(output.name, output.unit, better_of(output.name), output.meaning);
    info.may_not_apply = true;
    table.of_output[i] = next;
    table.infos[next++] = info;
  }
  return table;
}

constexpr MetricTable metric_table = make_metrics();

constexpr std::size_t status_count = count_of<Rejection> + 1;

constexpr std::array<StatusInfo, status_count> make_statuses() {
  std::array<StatusInfo, status_count> table{};
  for (const Rejection rejection : all_of<Rejection>) {
    const calculon::RejectionInfo& info = calculon::info_of(rejection);
    table[status_of(rejection)] = {info.name, info.meaning};
  }
  table[status_failed] = {"failed", "a defect of dfsweep"};
  return table;
}
constexpr std::array<StatusInfo, status_count> status_table = make_statuses();

}  // namespace

std::span<const MetricIndex, calculon::output_count> metrics_of_outputs() {
  return metric_table.of_output;
}
std::span<const ParameterInfo> parameters() {
  return parameter_table;
}
std::span<const MetricInfo> metrics() {
  return metric_table.infos;
}
std::span<const StatusInfo> statuses() {
  return status_table;
}

}  // namespace dfsweep::training
