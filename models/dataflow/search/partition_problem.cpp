/// Definition of the cost and feasibility of a mapping.
#include "models/dataflow/search/partition_problem.hpp"

#include <algorithm>
#include <map>

#include "models/expect.hpp"

namespace dfsweep::dataflow {

namespace {

/// Kernels of a partition with the same choices.
struct EqualKernels {
  const std::vector<CoreChoice>* choices;
  double count;
};

std::vector<EqualKernels> equal_kernels(const PartitionProblem& problem, KernelSet inside) {
  std::vector<EqualKernels> groups;
  for (std::size_t k = 0; k < problem.kernels.size(); ++k) {
    if (!holds(inside, k)) continue;
    const std::vector<CoreChoice>& choices = problem.kernels[k].choices;
    const auto known = std::find_if(groups.begin(), groups.end(),
                                    [&](const EqualKernels& group) { return *group.choices == choices; });
    if (known == groups.end())
      groups.push_back({&choices, 1.0});
    else
      ++known->count;
  }
  return groups;
}

/// Shortest time for which the kernels together need at most the cores of the chip.
Seconds shared_compute(const PartitionProblem& problem, KernelSet inside) {
  const std::vector<EqualKernels> groups = equal_kernels(problem, inside);
  std::vector<Seconds> candidates;
  for (const EqualKernels& group : groups)
    for (const CoreChoice& choice : *group.choices) candidates.push_back(choice.time);
  std::sort(candidates.begin(), candidates.end());
  const auto cores_for = [&](Seconds time) {
    double sum = 0.0;
    for (const EqualKernels& group : groups) {
      const auto fewest = std::partition_point(group.choices->begin(), group.choices->end(),
                                               [time](const CoreChoice& choice) { return choice.time > time; });
      sum += group.count * (fewest == group.choices->end() ? std::numeric_limits<double>::infinity() : fewest->cores);
    }
    return sum;
  };
  const auto first = std::partition_point(candidates.begin(), candidates.end(),
                                          [&](Seconds time) { return cores_for(time) > problem.cores; });
  return first == candidates.end() ? Seconds{std::numeric_limits<double>::infinity()} : *first;
}

/// Whether at most one partition has both passes, and no backward kernel is in an earlier partition than a forward
/// kernel.
bool keeps_pass_order(const PartitionProblem& problem, const std::vector<KernelSet>& partitions) {
  if (problem.mixing == PassMixing::free) return true;
  KernelSet forward = 0;
  for (std::size_t k = 0; k < problem.kernels.size(); ++k)
    if (problem.kernels[k].pass == Pass::forward) forward |= KernelSet{1} << k;
  KernelSet done = 0;
  for (const KernelSet inside : partitions) {
    const bool has_forward = (inside & forward) != 0;
    const bool has_backward = (inside & ~forward) != 0;
    if (has_forward && has_backward && problem.mixing == PassMixing::separate) return false;
    done |= inside;
    if (has_backward && (forward & ~done) != 0) return false;
  }
  return true;
}

}  // namespace

PartitionUse use_of(const PartitionProblem& problem, KernelSet before, KernelSet inside) {
  PartitionUse use;
  Bytes memory;
  std::size_t kernels = 0;
  std::size_t last = 0;
  for (std::size_t k = 0; k < problem.kernels.size(); ++k) {
    if (!holds(inside, k)) continue;
    use.compute += problem.kernels[k].compute;
    use.network += problem.kernels[k].network;
    use.sram += problem.kernels[k].sram;
    memory += problem.kernels[k].memory;
    ++kernels;
    last = k;
  }
  const KernelSet later = ~(before | inside);
  for (const PartitionEdge& edge : problem.edges) {
    const bool from_inside = holds(inside, edge.source);
    const bool to_inside = holds(inside, edge.destination);
    if (from_inside && to_inside) use.sram += edge.sram_inside;
    if (from_inside != to_inside) {
      use.sram += edge.sram_boundary;
      memory += edge.traffic;
    }
    if (!holds(later, edge.source) && !holds(before, edge.destination) && !(from_inside && to_inside))
      use.live += edge.traffic;
  }
  if (kernels == 1) use.sram = problem.kernels[last].sram_alone;
  if (problem.cores > 0.0) use.compute = shared_compute(problem, inside);
  use.memory = memory / problem.dram_bandwidth;
  use.time = Seconds{combined(problem.overlap, use.compute.value(), use.memory.value(), use.network.value())};
  return use;
}

std::vector<KernelSet> partitions_of(const Assignment& assignment) {
  std::map<std::size_t, KernelSet> sets;
  for (std::size_t k = 0; k < assignment.size(); ++k) sets[assignment[k]] |= KernelSet{1} << k;
  std::vector<KernelSet> ordered;
  for (const auto& [partition, set] : sets) ordered.push_back(set);
  return ordered;
}

Seconds time_of(const PartitionProblem& problem, const Assignment& assignment) {
  DFSWEEP_EXPECT(assignment.size() == problem.kernels.size());
  Seconds sum;
  KernelSet before = 0;
  for (const KernelSet inside : partitions_of(assignment)) {
    sum += use_of(problem, before, inside).time;
    before |= inside;
  }
  return sum;
}

bool is_feasible(const PartitionProblem& problem, const Assignment& assignment) {
  DFSWEEP_EXPECT(assignment.size() == problem.kernels.size());
  for (const PartitionEdge& edge : problem.edges)
    if (assignment[edge.source] > assignment[edge.destination]) return false;
  const std::vector<KernelSet> partitions = partitions_of(assignment);
  if (problem.count_rule == CountRule::exactly && partitions.size() != problem.count) return false;
  if (problem.count_rule == CountRule::at_most && partitions.size() > problem.count) return false;
  if (!keeps_pass_order(problem, partitions)) return false;
  KernelSet before = 0;
  for (const KernelSet inside : partitions) {
    const PartitionUse use = use_of(problem, before, inside);
    if (use.sram > problem.sram_capacity || use.live > problem.live_capacity) return false;
    if (use.compute.value() == std::numeric_limits<double>::infinity()) return false;
    before |= inside;
  }
  return true;
}

}  // namespace dfsweep::dataflow
