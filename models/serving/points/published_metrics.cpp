/// Rows of the published metrics and statuses.
#include <array>

#include "models/evidence.hpp"
#include "models/machine/number_format.hpp"
#include "models/published_rows.hpp"
#include "models/serving/points/published.hpp"
#include "models/serving/points/trace.hpp"

namespace dfsweep::serving {

namespace {

using namespace published;

/// Statuses of metrics that are valid also where the memory does not suffice, with what one sequence would take, and
/// where a limit is broken.
constexpr std::uint32_t served_statuses =
    also_at(MetricInfo{}, Status::out_of_memory, Status::latency_limit, Status::first_token_limit).valid_statuses;

constexpr MetricInfo serving_metric(std::string_view name, std::string_view unit, Better better,
                                    std::string_view meaning) {
  MetricInfo info = metric_of(name, unit, better, meaning);
  info.valid_statuses = served_statuses;
  return info;
}

constexpr MetricInfo serving_time(std::string_view name, std::string_view meaning) {
  return serving_metric(name, "s", Better::lower, meaning);
}

constexpr MetricInfo serving_rate(std::string_view name, std::string_view meaning) {
  return serving_metric(name, "s-1", Better::higher, meaning);
}

/// Only a simulation knows the distribution of a time.
constexpr MetricInfo quantile_of(std::string_view name, std::string_view meaning) {
  return if_known(serving_time(name, meaning));
}

constexpr std::string_view time_sources[] = {"roofline", "profiled", "operators", "far_operators"};

constexpr auto metric_rows = std::to_array<Row<Metric, MetricInfo>>({
    {Metric::time_to_first_token,
     serving_time("time_to_first_token", "from the arrival of a request to its first token (TTFT)")},
    {Metric::time_per_output_token, serving_time("time_per_output_token", "between tokens of one request (TPOT)")},
    {Metric::prefill_rate, serving_rate("prefill_rate", "prompt tokens per second while only prompts are read")},
    {Metric::decode_rate, serving_rate("decode_rate", "output tokens per second while only answers are written")},
    {Metric::request_rate, serving_rate("request_rate", "requests per second, of all devices")},
    {Metric::token_rate, serving_rate("token_rate", "output tokens per second, of all devices")},
    {Metric::token_rate_per_device, serving_rate("token_rate_per_device", "output tokens per second and device")},
    {Metric::token_rate_per_user, serving_rate("token_rate_per_user", "output tokens per second of one request")},
    {Metric::request_latency, serving_time("request_latency", "from the arrival of a request to its last token")},
    {Metric::compute_time, serving_time("compute_time", "arithmetic of the phase, as if alone")},
    {Metric::memory_time, serving_time("memory_time", "traffic with DRAM in the phase, as if alone")},
    {Metric::network_time, serving_time("network_time", "exchanges between devices in the phase")},
    {Metric::host_time, if_known(serving_time("host_time", "launches and scheduling in the phase"))},
    {Metric::memory_used, serving_metric("memory_used", "byte", Better::lower, "on the device that needs most")},
    {Metric::weight_memory, serving_metric("weight_memory", "byte", Better::lower, "weights on that device")},
    {Metric::cache_memory, serving_metric("cache_memory", "byte", Better::lower, "keys and values on that device")},
    {Metric::waiting_time, if_known(serving_time("waiting_time", "from the arrival of a request to its first step"))},
    {Metric::time_to_first_token_p50,
     quantile_of("time_to_first_token_p50", "median of time_to_first_token; needs queueing = \"simulated\"")},
    {Metric::time_to_first_token_p90,
     quantile_of("time_to_first_token_p90", "kept by 90 % of the requests; needs queueing = \"simulated\"")},
    {Metric::time_to_first_token_p99,
     quantile_of("time_to_first_token_p99", "kept by 99 % of the requests; needs queueing = \"simulated\"")},
    {Metric::time_per_output_token_p50,
     quantile_of("time_per_output_token_p50", "median of time_per_output_token; needs queueing = \"simulated\"")},
    {Metric::time_per_output_token_p90,
     quantile_of("time_per_output_token_p90", "kept by 90 % of the requests; needs queueing = \"simulated\"")},
    {Metric::time_per_output_token_p99,
     quantile_of("time_per_output_token_p99", "kept by 99 % of the requests; needs queueing = \"simulated\"")},
    {Metric::request_latency_p50,
     quantile_of("request_latency_p50", "median of request_latency; needs queueing = \"simulated\"")},
    {Metric::request_latency_p90,
     quantile_of("request_latency_p90", "kept by 90 % of the requests; needs queueing = \"simulated\"")},
    {Metric::request_latency_p99,
     quantile_of("request_latency_p99", "kept by 99 % of the requests; needs queueing = \"simulated\"")},
    {Metric::waiting_time_p50,
     quantile_of("waiting_time_p50", "median of waiting_time; needs queueing = \"simulated\"")},
    {Metric::waiting_time_p90,
     quantile_of("waiting_time_p90", "kept by 90 % of the requests; needs queueing = \"simulated\"")},
    {Metric::waiting_time_p99,
     quantile_of("waiting_time_p99", "kept by 99 % of the requests; needs queueing = \"simulated\"")},
    {Metric::capacity,
     if_known(also_at(serving_rate("capacity", "highest arrival_rate that keeps the limits"), Status::saturated))},
    {Metric::goodput,
     if_known(serving_rate("goodput", "requests per second that keep both limits; needs queueing = \"simulated\""))},
    {Metric::users, if_known(serving_metric("users", "1", Better::neither,
                                            "requests of the deployment that wait or run, and users who think"))},
    {Metric::cache_use, if_known(serving_metric("cache_use", "1", Better::neither,
                                                "share of the room for keys and values that is in use, on average"))},
    {Metric::preemptions,
     if_known(serving_metric("preemptions", "1", Better::lower,
                             "times that a request loses its cache, on average; needs queueing = \"simulated\""))},
    {Metric::running_batch,
     serving_metric("running_batch", "1", Better::neither, "requests of a replica at once, on average")},
    {Metric::best_batch,
     if_known(serving_metric("best_batch", "1", Better::neither, "the largest batch that memory and limits allow"))},
    {Metric::max_batch,
     if_known(serving_metric("max_batch", "1", Better::higher,
                             "requests whose cache fits in cache_share of the memory that is left"))},
    {Metric::shortfall,
     if_known(serving_metric("shortfall", "1", Better::lower,
                             "memory, time or share of requests needed over what there is, where it is short"))},
    {Metric::model_flops_utilization,
     serving_metric("model_flops_utilization", "1", Better::higher,
                    "FLOP of the model over peak FLOP of the phase, in the format of the products")},
    {Metric::acceptance_length,
     if_known(serving_metric("acceptance_length", "1", Better::higher, "tokens that a window yields on average"))},
    {Metric::draft_time, if_known(serving_time("draft_time", "of a window"))},
    {Metric::verification_time, if_known(serving_time("verification_time", "of a window by the target"))},
    {Metric::speculative_rate,
     if_known(serving_rate("speculative_rate", "output tokens per second with speculation, of all devices"))},
    {Metric::speedup, if_known(serving_metric("speedup", "1", Better::higher, "speculative_rate over decode_rate"))},
    {Metric::system_cost, if_known(serving_metric("system_cost", "USD", Better::lower,
                                                  "price of all devices: stated, or derived from their parts"))},
    {Metric::system_power,
     if_known(serving_metric("system_power", "W", Better::lower,
                             "nameplate power of all devices: stated, or derived from their parts"))},
    {Metric::energy_per_token,
     if_known(serving_metric("energy_per_token", "J", Better::lower, "system_average_power over token_rate"))},
    {Metric::cost_per_million_tokens,
     if_known(serving_metric("cost_per_million_tokens", "USD", Better::lower,
                             "of all devices for a million output tokens; needs device_hour_price or service_years"))},
    {Metric::time_source,
     flags_of(serving_metric("time_source", "1", Better::neither, "what the times of prompts and steps are from"),
              time_sources)},
    {Metric::compute_precision,
     flags_of(serving_metric("compute_precision", "1", Better::neither,
                             "number format of the matrix products: the next wider one where the chip lacks it"),
              number_format_names)},
    {Metric::evidence, flags_of(serving_metric("evidence", "1", Better::neither, evidence_meaning), evidence_names)},
    {Metric::expected_error,
     if_known(serving_metric(
         "expected_error", "1", Better::lower,
         "median size of the relative error of times, by measured runs that the software's fit has not seen; of the "
         "share that is from measured operators, theirs where it is larger"))},
    {Metric::expected_memory_error,
     if_known(serving_metric("expected_memory_error", "1", Better::lower, "the same of memory_used"))},
    {Metric::coverage,
     if_known(serving_metric("coverage", "1", Better::higher,
                             "share of the phase's time that is from measured operators, where they are given"))},
    {Metric::first_token_queueing_error,
     if_known(serving_metric("first_token_queueing_error", "1", Better::lower,
                             "median size of the relative error of time_to_first_token by the closed form against the "
                             "simulation, of random servers under such load; absent where it was not measured"))},
    {Metric::token_time_queueing_error,
     if_known(serving_metric("token_time_queueing_error", "1", Better::lower, "the same of time_per_output_token"))},
});
static_assert(is_in_order(metric_rows, Metric::time_to_first_token, Metric::prices));

constexpr auto metric_table =
    joined(infos_of(metric_rows), valid_at(cost::price_metrics, served_statuses),
           valid_at(cost::watts_metrics, served_statuses), valid_at(cost::ownership_metrics, served_statuses));
static_assert(metric_table.size() == count_of<Metric>);

constexpr auto status_rows = std::to_array<Row<Status, StatusInfo>>({
    {Status::ok, {"ok", "estimated"}},
    {Status::failed, {"failed", "a defect of dfsweep"}},
    {Status::out_of_memory, {"out_of_memory", "weights, buffers and the cache of the batch do not fit"}},
    {Status::latency_limit, {"latency_limit", "an output token takes longer than time_per_output_token_limit"}},
    {Status::degrees_do_not_divide,
     {"degrees_do_not_divide",
      "device_count is no multiple of the degrees, or a degree does not divide what it splits"}},
    {Status::too_many_stages, {"too_many_stages", "more stages than layers"}},
    {Status::no_requests, {"no_requests", "fewer requests than replicas"}},
    {Status::no_profile, {"no_profile", "an operator has no measured table"}},
    {Status::no_vocabulary,
     {"no_vocabulary", "the model, or the one that drafts, has no field 'vocabulary', the size of its output layer"}},
    {Status::no_number_format, {"no_number_format", "the chip multiplies neither the precision nor a wider one"}},
    {Status::no_draft_model, {"no_draft_model", "speculation without draft_model, the model that drafts"}},
    {Status::first_token_limit, {"first_token_limit", "a first token takes longer than time_to_first_token_limit"}},
    {Status::saturated, {"saturated", "requests arrive faster than they can be served"}},
    {Status::needs_simulation, {"needs_simulation", "limit_quantile, bursts or traces need queueing = \"simulated\""}},
    {Status::not_modelled, {"not_modelled", "separate pools with a trace, or with neither users nor a rate"}},
    {Status::stack_cannot_run,
     {"stack_cannot_run", "the engine does not run on accelerators of this platform, as its entry lists them"}},
    {Status::power_limit_too_low, {"power_limit_too_low", "power_limit is not above the idle power of the device"}},
});
static_assert(is_in_order(status_rows));
constexpr auto status_table = infos_of(status_rows);

constexpr std::string_view data_files[] = {"mlp.csv",       "attention.csv", "all_reduce.csv",
                                           "allreduce.csv", "send_recv.csv", "cpu_overheads.csv"};

constexpr std::string_view headline[] = {"cost_per_million_tokens",
                                         "token_rate_per_device",
                                         "time_per_output_token",
                                         "time_to_first_token",
                                         "request_latency",
                                         "memory_used",
                                         "max_batch",
                                         "expected_error",
                                         "coverage",
                                         "evidence"};
constexpr std::string_view phase_parts[] = {"compute_time", "memory_time", "network_time", "host_time"};
constexpr ResultViews::TradeOff trade_offs[] = {{"time_per_output_token", "token_rate_per_device"},
                                                {"time_to_first_token", "token_rate_per_device"},
                                                {"request_latency", "cost_per_million_tokens"}};
constexpr ResultViews result_views = {headline, {}, phase_parts, ResultViews::Parts::overlap, trade_offs};

}  // namespace

std::span<const DataInfo> data() {
  static const DataInfo table[] = {
      {"profiles", "measured operator tables; times are from these where they are given", false, data_files,
       DataForm::profiles},
      {"trace",
       "requests with arrival, prompt and output, one a line; they need queueing = \"simulated\"",
       false,
       {},
       DataForm::stream,
       trace_columns()},
      {"operators",
       "measured operators of inference engines, which price parts of steps where they have them",
       false,
       {},
       DataForm::operators}};
  return table;
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

}  // namespace dfsweep::serving
