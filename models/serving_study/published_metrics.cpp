/// Rows of the published metrics and statuses.
#include <array>

#include "models/published_rows.hpp"
#include "models/serving_study/published.hpp"

namespace dfsweep::serving_study {

namespace {

using namespace published;

/// Statuses of metrics that are valid also where the memory does not suffice.
constexpr std::uint32_t study_statuses = also_at(MetricInfo{}, Status::out_of_memory).valid_statuses;

constexpr MetricInfo study_metric(std::string_view name, std::string_view unit, Better better,
                                  std::string_view meaning) {
  MetricInfo info = metric_of(name, unit, better, meaning);
  info.valid_statuses = study_statuses;
  return info;
}

constexpr MetricInfo study_time(std::string_view name, std::string_view meaning) {
  return study_metric(name, "s", Better::lower, meaning);
}

constexpr MetricInfo study_rate(std::string_view name, std::string_view meaning) {
  return study_metric(name, "s-1", Better::higher, meaning);
}

constexpr std::string_view time_sources[] = {"roofline"};

constexpr auto metric_rows = std::to_array<Row<Metric, MetricInfo>>({
    {Metric::time_to_first_token,
     study_time("time_to_first_token", "from the arrival of a request to its first token (TTFT)")},
    {Metric::time_per_output_token, study_time("time_per_output_token", "between tokens of one request (TPOT)")},
    {Metric::prefill_rate, study_rate("prefill_rate", "tokens of the prompts over the time of the slowest stage")},
    {Metric::decode_rate, study_rate("decode_rate", "tokens of a decode pass over the time of its slowest stage")},
    {Metric::request_rate,
     study_rate("request_rate", "requests per second in the phase, streamed through the pipeline")},
    {Metric::token_rate, study_rate("token_rate", "as decode_rate")},
    {Metric::token_rate_per_device, study_rate("token_rate_per_device", "token_rate over chips")},
    {Metric::token_rate_per_user, study_rate("token_rate_per_user", "output tokens per second of one request")},
    {Metric::request_latency, study_time("request_latency", "from the arrival of a request to its last token")},
    {Metric::compute_time, study_time("compute_time", "arithmetic of the phase, as if alone")},
    {Metric::memory_time, study_time("memory_time", "traffic with DRAM in the phase, as if alone")},
    {Metric::network_time, study_time("network_time", "exchanges between chips in the phase")},
    {Metric::memory_used, study_metric("memory_used", "byte", Better::lower, "weights and cache on a chip")},
    {Metric::weight_memory, study_metric("weight_memory", "byte", Better::lower, "weights on a chip")},
    {Metric::cache_memory,
     study_metric("cache_memory", "byte", Better::lower, "caches of h words for each token of the context on a chip")},
    {Metric::running_batch, study_metric("running_batch", "1", Better::neither, "sequences at once, as batch")},
    {Metric::max_batch, study_metric("max_batch", "1", Better::higher, "as batch: memory does not limit it")},
    {Metric::shortfall,
     if_known(study_metric("shortfall", "1", Better::lower, "memory needed over memory there is, where it is short"))},
    {Metric::model_flops_utilization,
     study_metric("model_flops_utilization", "1", Better::higher, "FLOP of all kernels over peak FLOP of the phase")},
    {Metric::acceptance_length,
     if_known(study_metric("acceptance_length", "1", Better::higher, "tokens that a window yields on average"))},
    {Metric::draft_time, if_known(study_time("draft_time", "of a window"))},
    {Metric::verification_time, if_known(study_time("verification_time", "of a window by the target"))},
    {Metric::speculative_rate,
     if_known(study_rate("speculative_rate", "output tokens per second with speculation, of all devices"))},
    {Metric::speedup, if_known(study_metric("speedup", "1", Better::higher, "speculative_rate over decode_rate"))},
    {Metric::system_cost,
     if_known(study_metric("system_cost", "USD", Better::lower,
                           "price of all chips, memories and links: stated, or derived from their parts"))},
    {Metric::system_power,
     if_known(study_metric("system_power", "W", Better::lower,
                           "power of all chips, memories and links: stated, or derived from their parts"))},
    {Metric::energy_per_token,
     if_known(study_metric("energy_per_token", "J", Better::lower, "system_power over token_rate"))},
    {Metric::cost_per_million_tokens,
     if_known(study_metric("cost_per_million_tokens", "USD", Better::lower,
                           "of all chips for a million output tokens; needs device_hour_price or service_years"))},
    {Metric::time_source,
     flags_of(study_metric("time_source", "1", Better::neither, "what the times are from"), time_sources)},
});
static_assert(is_in_order(metric_rows, Metric::time_to_first_token, Metric::prices));
constexpr auto metric_table = joined(infos_of(metric_rows), valid_at(cost::price_metrics, study_statuses),
                                     valid_at(cost::ownership_metrics, study_statuses));
static_assert(metric_table.size() == count_of<Metric>);

constexpr auto status_rows = std::to_array<Row<Status, StatusInfo>>({
    {Status::ok, {"ok", "estimated"}},
    {Status::failed, {"failed", "a defect of dfsweep"}},
    {Status::out_of_memory, {"out_of_memory", "weights and caches do not fit"}},
    {Status::degrees_do_not_divide,
     {"degrees_do_not_divide", "device_count is not tensor_parallel * pipeline_parallel"}},
    {Status::too_many_stages, {"too_many_stages", "more stages than layers"}},
    {Status::no_cycle_model,
     {"no_cycle_model", "compute_utilization is 0, and the device has no cores, width, height and frequency"}},
});
static_assert(is_in_order(status_rows));
constexpr auto status_table = infos_of(status_rows);

constexpr std::string_view headline[] = {"cost_per_million_tokens",
                                         "token_rate_per_device",
                                         "time_per_output_token",
                                         "time_to_first_token",
                                         "speculative_rate",
                                         "speedup",
                                         "memory_used"};
constexpr std::string_view phase_parts[] = {"compute_time", "memory_time", "network_time"};
constexpr ResultViews::TradeOff trade_offs[] = {{"time_per_output_token", "token_rate_per_device"},
                                                {"time_to_first_token", "token_rate_per_device"},
                                                {"request_latency", "cost_per_million_tokens"}};
constexpr ResultViews result_views = {headline, {}, phase_parts, ResultViews::Parts::overlap, trade_offs};

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

}  // namespace dfsweep::serving_study
