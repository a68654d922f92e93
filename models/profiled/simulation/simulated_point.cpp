/// Simulated runs of points.
#include "models/profiled/simulation/simulated_point.hpp"

#include <algorithm>
#include <cmath>

#include "models/prepared/wanted_columns.hpp"
#include "models/queueing/vidur/simulation.hpp"

namespace dfsweep::profiled {

namespace {

/// Limit of a run in the search for the capacity, as in [vidur] Section 7 of the simulator.
constexpr Seconds capacity_run{1800.0};
constexpr double most_blocks = 4e9;

std::uint32_t whole_number(double value) {
  return static_cast<std::uint32_t>(value);
}

/// Why the rules contradict each other; empty: they do not.
std::string_view reason_against(const vidur::Rules& rules) {
  if (rules.scheduler == vidur::Scheduler::lightllm && rules.stages > 1) return "lightllm has no pipelines";
  if (rules.batch_limit < rules.stages) return "batch_limit is shared by the stages and is less than one for each";
  return {};
}

/// Fills the memory of the rules; returns the status if it has no room.
///
///     blocks = floor(longest request / block) max_batch pools
///
/// Source: [vidur] Section 6
Status give_memory(const Replica& replica, const SimulationRequest& request, SimulatedPoint& point) {
  vidur::Rules& rules = point.rules;
  point.max_batch = replica.max_batch;
  const double slots = replica.max_batch;
  if (!is_given(slots) && !is_given(request.cache_blocks)) {
    point.reason = "the device has no memory_capacity; cache_blocks gives the size of the cache";
    return Status::invalid;
  }
  if (is_given(slots) && slots < 1.0) {
    point.reason = "not even one request of max_request_tokens fits beside the weights";
    return Status::out_of_memory;
  }
  const double fitting = std::floor(rules.request_tokens / rules.block_tokens) * slots * request.pool_share;
  const double blocks = is_given(request.cache_blocks) ? request.cache_blocks : fitting;
  rules.blocks = whole_number(std::min(blocks, most_blocks));
  rules.reserved_limit = whole_number(std::min(is_given(slots) ? slots : most_blocks, most_blocks));
  const double cached = static_cast<double>(rules.blocks) * rules.block_tokens / request.pool_share;
  point.memory_used = memory_of(replica.memory, cached);
  if (rules.blocks > 0) return Status::ok;
  point.reason = "max_request_tokens is less than a block";
  return Status::invalid;
}

Status status_of(vidur::Ending ending, std::string& reason) {
  switch (ending) {
    case vidur::Ending::complete:
    case vidur::Ending::time_limit:
      return Status::ok;
    case vidur::Ending::not_empty:
      reason = "requests wait for memory that never becomes free, or blocks were never given back";
      return Status::unfinished;
    case vidur::Ending::out_of_blocks:
      reason = "a step needs more blocks than are free, and lightllm cannot restart requests";
      return Status::out_of_blocks;
    case vidur::Ending::no_time:
      break;
  }
  reason = "a batch of the run needs a table that is missing";
  return Status::no_profile;
}

vidur::Capacity capacity_of(const BatchClock& clock, const SimulationRequest& request, const vidur::Rules& rules,
                            const OfferedRequests& offered) {
  vidur::Rules limited = rules;
  if (std::isinf(limited.time_limit.value())) limited.time_limit = capacity_run;
  const vidur::CapacityLimits limits{.start_rate = offered.rate(), .delay = Seconds{request.waiting_time_limit}};
  return vidur::find_capacity(limits, [&](double rate) -> std::optional<double> {
    const vidur::RunRecord record = vidur::simulate(limited, offered.at_rate(rate), clock, {.samples = false});
    std::vector<double> delays = vidur::delays_of(record);
    const bool has_ended = record.ending == vidur::Ending::complete || record.ending == vidur::Ending::time_limit;
    if (delays.empty() || !has_ended) return std::nullopt;
    std::sort(delays.begin(), delays.end());
    return vidur::quantile_of(delays, request.limit_quantile);
  });
}

void write_distribution(const EstimateColumns& out, std::size_t i, Metric mean, const vidur::Distribution& d) {
  const double values[] = {d.mean, d.p50, d.p90, d.p99};
  for (std::size_t place = 0; place < std::size(values); ++place)
    put(out, static_cast<Metric>(index_of(mean) + place), i, values[place]);
}

void write_summary(const EstimateColumns& out, std::size_t i, const SimulatedPoint& point) {
  const vidur::RunSummary& s = point.summary;
  write_distribution(out, i, Metric::time_to_first_token, s.first_token);
  write_distribution(out, i, Metric::time_per_output_token, s.output_token);
  write_distribution(out, i, Metric::token_interval, s.token_interval);
  write_distribution(out, i, Metric::request_latency, s.latency);
  write_distribution(out, i, Metric::waiting_time, s.delay);
  write_distribution(out, i, Metric::batch_time, s.batch_time);
  put(out, Metric::request_rate, i, s.request_rate);
  put(out, Metric::completed_requests, i, static_cast<double>(s.completed));
  put(out, Metric::makespan, i, s.makespan);
  put(out, Metric::batches, i, static_cast<double>(point.record.batch_count));
  put(out, Metric::running_batch, i, s.batch_requests);
  put(out, Metric::tokens_per_batch, i, s.batch_tokens);
  put(out, Metric::preemptions, i, static_cast<double>(s.restarts));
  put(out, Metric::preempted_requests, i, static_cast<double>(s.restarted));
  put(out, Metric::cache_use, i, s.cache_use);
  put(out, Metric::sampled_cache_use, i, s.sampled_cache_use);
  put(out, Metric::utilization, i, s.busy);
  put(out, Metric::model_flops_utilization, i, point.flops_utilization);
  put(out, Metric::capacity, i, point.capacity ? point.capacity->rate : absent);
}

}  // namespace

SimulationRequest simulation_request(const ProfiledValues& decoded, const Codes& codes) {
  const auto number = [&](Parameter p) { return decoded.numbers[p][codes[p]]; };
  const auto count = [&](Parameter p) { return whole_number(number(p)); };
  SimulationRequest request;
  vidur::Rules& rules = request.rules;
  rules.scheduler = decoded.schedulers[codes[Parameter::scheduler]];
  rules.routing = decoded.routings[codes[Parameter::routing]];
  rules.replicas = count(Parameter::replicas);
  rules.stages = count(Parameter::pipeline_parallel);
  // lightllm counts single tokens; the pages of the tables concern the times alone.
  rules.block_tokens = rules.scheduler == vidur::Scheduler::lightllm ? 1 : count(Parameter::block_size);
  rules.batch_limit = count(Parameter::batch_limit);
  rules.request_tokens = count(Parameter::max_request_tokens);
  rules.chunk_tokens = count(Parameter::chunk_tokens);
  rules.prompt_tokens = count(Parameter::prompt_batch_tokens);
  rules.waiting_steps = count(Parameter::waiting_steps);
  rules.watermark = number(Parameter::watermark);
  if (const double limit = number(Parameter::time_limit); is_given(limit)) rules.time_limit = Seconds{limit};
  Demand& demand = request.demand;
  demand.arrivals = decoded.arrivals[codes[Parameter::arrivals]];
  demand.variation = number(Parameter::arrival_variation);
  demand.rate = number(Parameter::arrival_rate);
  demand.count = count(Parameter::requests);
  demand.seed = count(Parameter::seed);
  demand.prompts = {number(Parameter::prompt_tokens), number(Parameter::prompt_spread)};
  demand.outputs = {number(Parameter::output_tokens), number(Parameter::output_spread)};
  demand.most_tokens = rules.request_tokens;
  request.cache_blocks = number(Parameter::cache_blocks);
  const ProfileConvention& convention = *decoded.conventions[codes[Parameter::convention]];
  request.pool_share = convention.cached_layers == CachedLayers::of_model ? rules.stages : 1.0;
  request.waiting_time_limit = number(Parameter::waiting_time_limit);
  request.limit_quantile = number(Parameter::limit_quantile);
  request.tensor_parallel = number(Parameter::tensor_parallel);
  const double peak = number(Parameter::peak_flops);
  request.peak = is_given(peak) ? Throughput{peak} : decoded.devices[codes[Parameter::device]].rates.peak;
  return request;
}

namespace {

/// Mean of all devices from the first arrival to the end of the run: idle power and what kernels draw above it.
Watts average_power(const cost::PowerRange& device, Joules of_kernels, const SimulatedPoint& point) {
  double first = point.record.end;
  for (const vidur::OfferedRequest& request : point.offered) first = std::min(first, request.arrival.value());
  const double stages = static_cast<double>(point.record.stages.size());
  return std::min(device.limit, device.idle + of_kernels / (stages * Seconds{point.record.end - first}));
}

}  // namespace

SimulatedPoint simulated_point(const Replica& replica, const BatchClock& clock, const SimulationRequest& request,
                               const ServedModel& model, std::span<const vidur::OfferedRequest> trace,
                               const vidur::Recording& recording) {
  SimulatedPoint point;
  point.rules = request.rules;
  point.reason = reason_against(point.rules);
  point.status = point.reason.empty() ? give_memory(replica, request, point) : Status::invalid;
  if (point.status != Status::ok) return point;
  const OfferedRequests offered(request.demand, trace);
  point.offered = offered.requests();
  const bool wants_watts = request.device && replica.layer->model.rates().known();
  clock.start_run(wants_watts ? request.device : std::nullopt);
  point.record = vidur::simulate(point.rules, point.offered, clock, recording);
  point.coverage = clock.coverage();
  point.status = status_of(point.record.ending, point.reason);
  if (wants_watts) point.device_average_power = average_power(*request.device, clock.kernel_energy(), point);
  point.summary = vidur::summary_of(point.record, point.offered, point.rules);
  const double layers = replica.stage_terms.front().stages.layers;
  if (request.peak.value() > 0.0)
    point.flops_utilization =
        vidur::flops_utilization(point.record,
                                 {layers * layer_weights(model, request.tensor_parallel),
                                  layers * model.heads / request.tensor_parallel * model.head_dim},
                                 request.peak);
  clock.start_run();
  if (point.status == Status::ok && is_given(request.waiting_time_limit))
    point.capacity = capacity_of(clock, request, point.rules, offered);
  return point;
}

void write_simulation(const EstimateColumns& out, std::size_t i, const SimulatedPoint& point) {
  out.status[i] = index_of(point.status);
  put_nothing(out, i);
  const bool has_ended = point.status == Status::ok || point.status == Status::unfinished;
  if (point.status == Status::ok || point.status == Status::out_of_memory)
    put(out, Metric::max_batch, i, point.max_batch);
  if (!has_ended) return;
  write_summary(out, i, point);
  if (point.status != Status::ok) return;
  put(out, Metric::memory_used, i, point.memory_used.value());
  put(out, Metric::token_rate, i, point.summary.token_rate);
  put(out, Metric::coverage, i, static_cast<double>(point.coverage));
}

}  // namespace dfsweep::profiled
