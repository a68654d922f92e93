/// Search over partitions, numbers of tiles and places of the weights.
#include "models/dataflow/mapping/best_mapping.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/dataflow/search/partition_diagnosis.hpp"
#include "models/divisors.hpp"

namespace dfsweep::dataflow {

namespace {

std::optional<PassMixing> mixing_of(PhaseOrder order) {
  switch (order) {
    case PhaseOrder::separate:
      return PassMixing::separate;
    case PhaseOrder::one_mixed:
      return PassMixing::one_mixed;
    case PhaseOrder::free:
      return PassMixing::free;
    case PhaseOrder::halves:
      break;
  }
  return std::nullopt;
}

}  // namespace

BestMapping no_mapping_because(std::string problem) {
  BestMapping none;
  none.problem = std::move(problem);
  return none;
}

std::optional<PartitionSetting> search_setting(const MappingLimits& limits) {
  const std::optional<PassMixing> mixing = mixing_of(limits.phase_order);
  const bool exactly = limits.partitions > 0.0;
  const bool at_most = limits.max_partitions > 0.0;
  if (!mixing || (exactly && at_most && limits.partitions > limits.max_partitions)) return std::nullopt;
  PartitionSetting setting;
  setting.mixing = *mixing;
  if (exactly)
    setting.count_rule = CountRule::exactly;
  else if (at_most)
    setting.count_rule = CountRule::at_most;
  setting.count = static_cast<std::size_t>(exactly ? limits.partitions : limits.max_partitions);
  return setting;
}

std::vector<PartitionSetting> searched_settings(const PartitionModel& model, const StepInputs& in,
                                                const MappingRequest& request, const PartitionSetting& common) {
  const double length = model.workload().tile_length;
  std::vector<double> tiles{request.num_tile > 0.0 ? request.num_tile : length};
  if (request.num_tile == 0.0 && in.compute_utilization == 0.0) tiles = divisors_of(length);
  std::vector<PartitionSetting> settings;
  for (const WeightPlace place : {WeightPlace::resident, WeightPlace::dram}) {
    if (place == WeightPlace::resident && request.rules.weights == WeightTraffic::none) continue;
    for (const double num_tile : tiles) {
      settings.push_back(common);
      settings.back().weights = place;
      settings.back().num_tile = num_tile;
    }
  }
  return settings;
}

BestMapping best_mapping(const PartitionModel& model, const Layout& layout, const StepInputs& in, const Device& device,
                         const MappingRequest& request, std::int64_t node_limit) {
  const Graph& graph = model.workload().graph;
  if (graph.kernels.size() > 64) return no_mapping_because("mapping = best needs a graph of at most 64 kernels");
  if (request.limits.phase_order == PhaseOrder::halves)
    return no_mapping_because("mapping = best needs phase_order separate, one_mixed or free");
  const std::optional<PartitionSetting> setting_of_all = search_setting(request.limits);
  if (!setting_of_all) return no_mapping_because("'partitions' exceeds 'max_partitions'");
  if (request.num_tile > 0.0 && std::fmod(model.workload().tile_length, request.num_tile) != 0.0)
    return no_mapping_because("num_tile does not divide the tiled length");
  if (in.compute_utilization == 0.0 && !device.has_cores())
    return no_mapping_because("the cores of the device are unknown");

  MappingRequest any = request;
  any.assignment = kernel_by_kernel(graph);
  any.limits = {};
  any.num_tile = 0.0;
  any.device = nullptr;
  const MappedWorkload base = mapped_workload(model, any);
  PartitionSearch search;
  BestMapping best;
  Seconds bound{std::numeric_limits<double>::infinity()};
  bool limited = false;
  std::int64_t nodes = 0;
  PartitionProblem last;
  for (const PartitionSetting& setting : searched_settings(model, in, request, *setting_of_all)) {
    last = partition_problem_of(model, base, layout, *request.convention, in, device, setting);
    const PartitionSearchResult found = search.solve(last, {.nodes = std::max<std::int64_t>(node_limit - nodes, 1)});
    nodes += found.nodes;
    limited |= found.outcome == SearchOutcome::limited || found.outcome == SearchOutcome::unresolved;
    if (found.outcome != SearchOutcome::infeasible) bound = std::min(bound, found.bound);
    if (found.assignment.empty() || (!best.assignment.empty() && found.time >= best.time)) continue;
    best.time = found.time;
    best.assignment = found.assignment;
    best.num_tile = setting.num_tile;
  }
  best.nodes = nodes;
  if (!best.assignment.empty()) {
    best.outcome = limited ? SearchOutcome::limited : SearchOutcome::optimal;
    best.gap = limited && best.time > Seconds{} ? std::max(0.0, 1.0 - bound / best.time) : 0.0;
    return best;
  }
  best.outcome = limited ? SearchOutcome::unresolved : SearchOutcome::infeasible;
  if (limited) {
    BestMapping unknown = no_mapping_because("no mapping was found within the node limit");
    unknown.nodes = nodes;
    return unknown;
  }
  best.problem = "no mapping satisfies the rules and capacities";
  if (request.reasons == Reasons::full) {
    const Infeasibility reason = diagnosis_of(last);
    best.problem = text_of(reason, graph.kernels[reason.kernel].name);
  }
  last.count_rule = CountRule::any;
  last.mixing = PassMixing::free;
  best.capacity = !is_feasible(last, any.assignment);
  return best;
}

}  // namespace dfsweep::dataflow
