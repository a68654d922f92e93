/// Construction of a stage problem from the terms of kernels and the rates of a system.
#include "models/dataflow/mapping/stage_setting.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "models/dataflow/mapping/core_choices.hpp"

namespace dfsweep::dataflow {

namespace {

/// Minimum over the core choices of a kernel of cores * time / all cores, in the cycle model.
double least_compute(const Kernel& shard, const Device& device, Frequency clock) {
  double least = std::numeric_limits<double>::infinity();
  for (const CoreChoice& choice : core_choices(tile_blocks(shard, device), 1.0, device))
    least = std::min(least, choice.cores * choice.time.value() / device.cores);
  return (device.frequency / clock) * least;
}

bool may_stay_in_sram(const PartitionModel& model, const StageUnit& unit, double sram_capacity) {
  return std::all_of(unit.begin(), unit.end(), [&](std::size_t k) {
    const Kernel& shard = model.shard(k);
    return (shard.weight_words + shard.gradient_words) * model.workload().word_bytes <= sram_capacity;
  });
}

StageKernel unit_of(const PartitionModel& model, const PointRates& point, const StageSetting& setting,
                    const StageUnit& unit) {
  const StepInputs& in = point.inputs;
  const bool resident = setting.weights == Weights::resident && may_stay_in_sram(model, unit, in.sram_capacity.value());
  const PartitionTerms terms = model.terms(unit, 1.0, setting.device);
  StageKernel result;
  for (const std::size_t k : unit) result.held += held_bytes(model, point.convention, k);
  if (point.convention.gradient_charge != GradientCharge::spread)
    result.gradients = gradient_seconds(terms.network.traffic, point.network);
  if (setting.execution == UnitExecution::in_turn) {
    const Weights weights = resident ? Weights::resident : Weights::streamed;
    result.compute = partition_times(terms, point.network, point.shares, in, weights).total;
    return result;
  }
  Bytes own = resident ? Bytes{} : terms.weights * point.shares.each;
  for (const std::size_t k : unit) {
    own += Bytes{model.shard(k).memory_words * model.workload().word_bytes};
    result.compute += Seconds{setting.device != nullptr ? least_compute(model.shard(k), *setting.device, in.frequency)
                                                        : flop_of(model.shard(k)) / in.used_flops().value()};
  }
  result.memory = own / in.dram_bandwidth;
  result.network = network_seconds(terms.network, point.network, point.shares);
  return result;
}

/// Adds edges without bytes that order the units: each after its predecessor, or backward after forward kernels.
void add_order(StageProblem& problem, const PartitionModel& model, const StageSetting& setting) {
  if (setting.units_keep_order) {
    for (std::size_t u = 1; u < setting.units.size(); ++u) problem.edges.push_back({u - 1, u, {}});
    return;
  }
  if (setting.phase_order == PhaseOrder::free) return;
  const auto pass_of = [&](std::size_t u) { return model.workload().graph.kernels[setting.units[u].front()].pass; };
  for (std::size_t f = 0; f < setting.units.size(); ++f)
    for (std::size_t b = 0; b < setting.units.size(); ++b)
      if (pass_of(f) == Pass::forward && pass_of(b) == Pass::backward) problem.edges.push_back({f, b, {}});
}

}  // namespace

Bytes held_bytes(const PartitionModel& model, const Convention& c, std::size_t kernel) {
  const Workload& w = model.workload();
  const double words = model.shard(kernel).weight_words;
  Bytes bytes{words * c.weight_copies_stored * w.word_bytes};
  if (w.phase == Phase::train && w.graph.kernels[kernel].pass == Pass::forward)
    bytes += Bytes{words * (c.gradient_copies_stored * w.word_bytes + c.optimizer_bytes_per_parameter)};
  return bytes;
}

Bytes machine_bytes_of_stage(const PartitionModel& model, std::span<const std::size_t> kernels) {
  const Workload& w = model.workload();
  const bool needs_it = w.spread != Spread::replicated ||
                        std::any_of(kernels.begin(), kernels.end(),
                                    [&model](std::size_t k) { return model.shard(k).memory_words > 0.0; });
  return Bytes{needs_it ? w.machine_words * w.word_bytes / model.split().chips : 0.0};
}

StageTraffic traffic_of_stage(const PartitionModel& model, const StageOfKernel& stage, std::size_t number) {
  StageTraffic traffic;
  const std::vector<Edge>& edges = model.workload().graph.edges;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::size_t from = stage[edges[e].source];
    const std::size_t to = stage[edges[e].destination];
    if (from == to || from > number || to < number) continue;
    traffic.alive += model.edge_bytes(e);
    if (to > number) traffic.sent += model.edge_bytes(e);
  }
  return traffic;
}

StageProblem stage_problem_of(const PartitionModel& model, const PointRates& point, const StageSetting& setting) {
  StageProblem problem;
  std::vector<std::size_t> unit_of_kernel(model.workload().graph.kernels.size());
  for (std::size_t u = 0; u < setting.units.size(); ++u) {
    for (const std::size_t k : setting.units[u]) unit_of_kernel[k] = u;
    problem.kernels.push_back(unit_of(model, point, setting, setting.units[u]));
  }
  const std::vector<Edge>& edges = model.workload().graph.edges;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::size_t from = unit_of_kernel[edges[e].source];
    const std::size_t to = unit_of_kernel[edges[e].destination];
    if (from != to) problem.edges.push_back({from, to, model.edge_bytes(e)});
  }
  add_order(problem, model, setting);
  const StepInputs& in = point.inputs;
  const bool is_first = point.layout.stage_link.first > 0.0;
  problem.link_bandwidth = is_first ? in.link_bandwidth.first : in.link_bandwidth.outer;
  problem.link_latency = dot(point.layout.stage_link_steps, in.link_latency) * point.shares.each;
  problem.capacity = in.dram_capacity - machine_bytes_of_stage(model, {});
  problem.overlap = in.overlap;
  problem.stages = static_cast<std::size_t>(point.layout.stages_per_graph);
  problem.passes = point.batches.passes;
  problem.micro_batch = point.batches.micro_batch;
  return problem;
}

}  // namespace dfsweep::dataflow
