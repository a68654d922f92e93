/// Partition search on the kernels of one stage.
#include "models/dataflow/mapping/stage_partitions.hpp"

#include <algorithm>

#include "models/dataflow/search/partition_diagnosis.hpp"

namespace dfsweep::dataflow {

PartitionProblem restricted_to(const PartitionProblem& problem, KernelSet inside) {
  PartitionProblem part = problem;
  part.kernels.clear();
  part.edges.clear();
  std::vector<std::size_t> number(problem.kernels.size(), 0);
  for (std::size_t k = 0; k < problem.kernels.size(); ++k) {
    if (!holds(inside, k)) continue;
    number[k] = part.kernels.size();
    part.kernels.push_back(problem.kernels[k]);
  }
  for (const PartitionEdge& edge : problem.edges) {
    const bool from_inside = holds(inside, edge.source);
    const bool to_inside = holds(inside, edge.destination);
    if (from_inside && to_inside) {
      part.edges.push_back(edge);
      part.edges.back().source = number[edge.source];
      part.edges.back().destination = number[edge.destination];
    } else if (from_inside || to_inside) {
      PartitionKernel& kernel = part.kernels[number[from_inside ? edge.source : edge.destination]];
      kernel.memory += edge.traffic;
      kernel.sram += edge.sram_boundary;
    }
  }
  return part;
}

BestMapping best_stage_partitions(const PartitionModel& model, const PointRates& point, const Device& device,
                                  const MappingRequest& request, const StageKernels& stage) {
  const std::optional<PartitionSetting> common = search_setting(request.limits);
  if (request.limits.phase_order == PhaseOrder::halves)
    return no_mapping_because("mapping = best needs phase_order separate, one_mixed or free");
  if (!common) return no_mapping_because("'partitions' exceeds 'max_partitions'");
  MappedWorkload base;
  static_cast<ChipShare&>(base) = *stage.share;
  PartitionSearch search;
  PartitionProblem problem;
  BestMapping best;
  Seconds bound{std::numeric_limits<double>::infinity()};
  bool limited = false;
  for (const PartitionSetting& setting : searched_settings(model, point.inputs, request, *common)) {
    problem = restricted_to(
        partition_problem_of(model, base, point.layout, point.convention, point.inputs, device, setting), stage.inside);
    problem.live_capacity = problem.live_capacity - stage.alive;
    const PartitionSearchResult found = search.solve(problem, {.nodes = default_search_nodes});
    limited |= found.outcome == SearchOutcome::limited || found.outcome == SearchOutcome::unresolved;
    if (found.outcome != SearchOutcome::infeasible) bound = std::min(bound, found.bound);
    if (found.assignment.empty() || (!best.assignment.empty() && found.time >= best.time)) continue;
    best.time = found.time;
    best.assignment = found.assignment;
  }
  if (best.assignment.empty()) {
    if (limited) return no_mapping_because("no mapping was found within the node limit");
    const Graph& graph = model.workload().graph;
    const Assignment order = kernel_by_kernel(graph);
    Assignment alone;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (!holds(stage.inside, k)) continue;
      alone.push_back(order[k]);
      names.push_back(graph.kernels[k].name);
    }
    best.problem = "no mapping satisfies the rules and capacities";
    if (request.reasons == Reasons::full) {
      const Infeasibility reason = diagnosis_of(problem);
      best.problem = text_of(reason, names[reason.kernel]);
    }
    problem.count_rule = CountRule::any;
    problem.mixing = PassMixing::free;
    best.capacity = !is_feasible(problem, alone);
    return best;
  }
  best.outcome = limited ? SearchOutcome::limited : SearchOutcome::optimal;
  best.gap = limited && best.time > Seconds{} ? std::max(0.0, 1.0 - bound / best.time) : 0.0;
  return best;
}

}  // namespace dfsweep::dataflow
