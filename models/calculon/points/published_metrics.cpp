/// Rows of the published metrics and statuses.
#include <algorithm>
#include <array>

#include "models/calculon/points/published.hpp"
#include "models/published_rows.hpp"
#include "models/step_rows.hpp"

namespace dfsweep::calculon {

namespace {

using namespace published;

constexpr std::uint32_t with_memory = 1U << status_of(Rejection::none) | 1U << status_of(Rejection::memory_tier_1) |
                                      1U << status_of(Rejection::memory_tier_2);

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

constexpr auto own_metric_rows = std::to_array<Row<Metric, MetricInfo>>({
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
});
static_assert(is_in_order(own_metric_rows, Metric::step_time, Metric::prices));
constexpr auto own_metrics = joined(infos_of(own_metric_rows), valid_at(cost::price_metrics, with_memory),
                                    valid_at(cost::watts_metrics, with_memory));

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
constexpr std::size_t metric_count = count_of<Metric> + output_count - std::size(shared_figures);

constexpr Better better_of(std::string_view name) {
  return name.ends_with("efficiency") ? Better::higher : Better::lower;
}

struct MetricTable {
  std::array<MetricInfo, metric_count> infos;  ///< without those of the whole run
  std::array<MetricIndex, output_count> of_output;
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
  for (std::size_t i = 0; i < output_count; ++i) {
    const OutputInfo& output = output_infos[i];
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
constexpr auto all_metrics = joined(metric_table.infos, valid_at(whole_run::run_metrics, with_memory));

constexpr std::size_t status_count = count_of<Rejection> + 1;

constexpr std::array<StatusInfo, status_count> make_statuses() {
  std::array<StatusInfo, status_count> table{};
  for (const Rejection rejection : all_of<Rejection>) {
    const RejectionInfo& info = info_of(rejection);
    table[status_of(rejection)] = {info.name, info.meaning};
  }
  table[status_failed] = {"failed", "a defect of dfsweep"};
  return table;
}
constexpr auto status_table = joined(make_statuses(), whole_run::run_statuses);

constexpr whole_run::RunPlaces places{count_of<Parameter>, metric_count, status_count, index_of(Parameter::model)};

constexpr std::string_view headline[] = {"time_to_target", "loss",        "train_days",  "token_rate_per_device",
                                         "step_time",      "utilization", "memory_used", "offload_used"};
constexpr std::string_view step_parts[] = {"forward_time",     "backward_time", "recompute_time",
                                           "tensor_comm_time", "bubble_time",   "pipeline_comm_time",
                                           "data_comm_time",   "offload_time",  "optimizer_time"};
constexpr ResultViews::TradeOff trade_offs[] = {
    {"memory_used", "step_time"}, {"system_cost", "step_time"}, {"train_energy", "time_to_train"}};
constexpr ResultViews result_views = {headline, "step_time", step_parts, ResultViews::Parts::add_up, trade_offs};

}  // namespace

const whole_run::RunPlaces& run_places() {
  return places;
}
std::span<const MetricIndex, output_count> metrics_of_outputs() {
  return metric_table.of_output;
}
ResultViews views() {
  return result_views;
}
std::span<const MetricInfo> metrics() {
  return all_metrics;
}
std::span<const StatusInfo> statuses() {
  return status_table;
}

}  // namespace dfsweep::calculon
