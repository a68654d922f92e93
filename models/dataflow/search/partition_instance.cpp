/// Conversion of a partition problem into integers, with precomputed bounds.
#include "models/dataflow/search/partition_instance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "models/expect.hpp"

namespace dfsweep::dataflow {

namespace {

/// Sizes are rounded up and capacities down, so that a mapping that fits the instance fits the problem; both are whole
/// in practice.
WholeBytes up(Bytes bytes) {
  const double value = std::ceil(bytes.value());
  return value < 0x1p60 ? static_cast<WholeBytes>(value) : int_infinity;
}
WholeBytes down(Bytes bytes) {
  const double value = std::floor(bytes.value());
  return value < 0x1p60 ? static_cast<WholeBytes>(value) : int_infinity;
}

/// Sum of all times: an upper bound on the time of every mapping.
double longest_seconds(const PartitionProblem& problem) {
  double sum = 0.0;
  for (const PartitionKernel& kernel : problem.kernels) {
    const double compute = kernel.choices.empty() ? kernel.compute.value() : kernel.choices.front().time.value();
    sum += compute + kernel.network.value() + (kernel.memory / problem.dram_bandwidth).value();
  }
  for (const PartitionEdge& edge : problem.edges) sum += 2.0 * (edge.traffic / problem.dram_bandwidth).value();
  return sum;
}

}  // namespace

PartitionInstance::PartitionInstance(const PartitionProblem& problem) : kernels(problem.kernels.size()) {
  DFSWEEP_EXPECT(kernels >= 1 && kernels <= most_kernels);
  DFSWEEP_EXPECT(problem.dram_bandwidth.value() > 0.0);
  const double longest = longest_seconds(problem);
  DFSWEEP_EXPECT(std::isfinite(longest) && longest >= 0.0);
  seconds_per_tick = tick_for(longest);
  all = kernels == most_kernels ? ~KernelSet{0} : just(kernels) - 1;
  sram_capacity = down(problem.sram_capacity);
  live_capacity = down(problem.live_capacity);
  overlap = problem.overlap;
  count_rule = problem.count_rule;
  count = problem.count;
  read_order(problem);
  read_amounts(problem);
  read_edges(problem);
  if (problem.cores > 0.0) read_choices(problem);
  find_solitary();
  find_unavoidable(problem);
  find_symmetric();
}

void PartitionInstance::read_order(const PartitionProblem& problem) {
  for (std::size_t k = 0; k < kernels; ++k)
    if (problem.kernels[k].pass == Pass::forward) forward |= just(k);
  sinks = all;
  for (const PartitionEdge& edge : problem.edges) {
    DFSWEEP_EXPECT(edge.source < kernels && edge.destination < kernels && edge.source != edge.destination);
    predecessors[edge.destination] |= just(edge.source);
    sinks &= ~just(edge.source);
  }
  const bool two_passes = forward != 0 && forward != all;
  if (two_passes && problem.mixing != PassMixing::free) {
    apart = problem.mixing == PassMixing::separate;
    sinks &= ~forward;
    for (std::size_t k = 0; k < kernels; ++k) {
      if (!contains(forward, just(k))) predecessors[k] |= forward;
      DFSWEEP_EXPECT(!contains(forward, just(k)) || contains(forward, predecessors[k]));
    }
  }
  for (std::size_t k = 0; k < kernels; ++k)
    for (KernelSet rest = predecessors[k]; rest != 0; rest &= rest - 1) consumers[lowest(rest)] |= just(k);
  find_order();
}

void PartitionInstance::find_order() {
  KernelSet done = 0;
  for (std::size_t i = 0; i < kernels; ++i) {
    std::size_t k = 0;
    while (k < kernels && (contains(done, just(k)) || !contains(done, predecessors[k]))) ++k;
    DFSWEEP_EXPECT(k < kernels);  // otherwise the graph has a cycle
    order[i] = static_cast<std::uint8_t>(k);
    done |= just(k);
  }
}

void PartitionInstance::read_amounts(const PartitionProblem& problem) {
  for (std::size_t k = 0; k < kernels; ++k) {
    const PartitionKernel& kernel = problem.kernels[k];
    compute[k] = ticks(kernel.compute);
    network[k] = ticks(kernel.network);
    memory[k] = ticks(kernel.memory / problem.dram_bandwidth);
    sram[k] = up(kernel.sram);
    sram_alone[k] = up(kernel.sram_alone);
  }
}

void PartitionInstance::read_edges(const PartitionProblem& problem) {
  std::array<std::uint32_t, most_kernels> fan_in{};
  for (const PartitionEdge& edge : problem.edges) ++fan_in[edge.destination];
  for (std::size_t k = 0; k < kernels; ++k) first_arrival[k + 1] = first_arrival[k] + fan_in[k];
  arrivals.resize(problem.edges.size());
  std::array<std::uint32_t, most_kernels> next{};
  WholeBytes live = 0;
  for (const PartitionEdge& edge : problem.edges) {
    const auto [source, destination] = std::pair{edge.source, edge.destination};
    const Ticks traffic = ticks(edge.traffic / problem.dram_bandwidth);
    const WholeBytes boundary = up(edge.sram_boundary);
    const WholeBytes inside = up(edge.sram_inside);
    DFSWEEP_EXPECT(inside >= boundary);
    arrivals[first_arrival[destination] + next[destination]++] = {static_cast<std::uint32_t>(source), traffic,
                                                                  up(edge.traffic), inside - 2 * boundary};
    arriving[destination] += traffic;
    leaving[source] += traffic;
    live_arriving[destination] += up(edge.traffic);
    live_leaving[source] += up(edge.traffic);
    live += up(edge.traffic);
    for (const std::size_t end : {source, destination}) {
      memory[end] += traffic;
      sram[end] += boundary;
    }
  }
  live_binds = live > live_capacity;
  for (std::size_t k = 0; k < kernels; ++k) DFSWEEP_EXPECT(sram_alone[k] <= sram[k]);
}

void PartitionInstance::read_choices(const PartitionProblem& problem) {
  cores = static_cast<std::int64_t>(problem.cores);
  levels = CoreLevels(problem.kernels, cores, seconds_per_tick);
  for (std::size_t k = 0; k < kernels; ++k) compute[k] = levels.least_share(levels.kind_of(k));
}

/// A partition needs at least the SRAM of each subset, except single kernels, which may stream their weights.
void PartitionInstance::find_solitary() {
  for (std::size_t k = 0; k < kernels; ++k) {
    if (sram[k] <= sram_capacity) {
      due_compute[k] = compute[k];
      due_network[k] = network[k];
      continue;
    }
    solitary |= just(k);
    Ticks alone = compute[k];
    if (cores > 0) {
      const std::size_t level = levels.level_alone(levels.kind_of(k));
      alone = level < levels.count() ? levels.time(level) : int_infinity;
    }
    solitary_time[k] = std::min(combine(alone, memory[k], network[k]), int_infinity);
    total_solitary = std::min(total_solitary + solitary_time[k], int_infinity);
  }
  for (std::size_t k = 0; k < kernels; ++k) {
    total_compute += due_compute[k];
    total_network += due_network[k];
  }
  if (cores > 0 && solitary == 0) core_table = CoreTable(levels, cores);
  if (!core_table.empty()) total_compute = core_table.least(core_table.all());
}

/// An edge must cross partitions where the passes are separate, or where its ends and all kernels between them exceed
/// the SRAM.
void PartitionInstance::find_unavoidable(const PartitionProblem& problem) {
  std::array<KernelSet, most_kernels> above{};
  std::array<KernelSet, most_kernels> below{};
  for (std::size_t i = 0; i < kernels; ++i) {
    const std::size_t k = order[i];
    for (std::uint32_t a = first_arrival[k]; a < first_arrival[k + 1]; ++a)
      above[k] |= above[arrivals[a].source] | just(arrivals[a].source);
  }
  for (std::size_t k = 0; k < kernels; ++k)
    for (KernelSet rest = above[k]; rest != 0; rest &= rest - 1) below[lowest(rest)] |= just(k);

  const auto sram_of = [&](KernelSet inside) {
    WholeBytes sum = 0;
    for (KernelSet rest = inside; rest != 0; rest &= rest - 1) {
      const std::size_t k = lowest(rest);
      sum += sram[k];
      for (std::uint32_t a = first_arrival[k]; a < first_arrival[k + 1]; ++a)
        if (contains(inside, just(arrivals[a].source))) sum += arrivals[a].sram_change;
    }
    return sum;
  };
  const auto ticks_of = [&](Bytes bytes) { return ticks(bytes / problem.dram_bandwidth); };
  for (std::size_t k = 0; k < kernels; ++k) {
    if (contains(solitary, just(k))) continue;
    total_memory += ticks_of(problem.kernels[k].memory);
    due_memory[k] -= ticks_of(problem.kernels[k].memory);
  }
  for (const PartitionEdge& edge : problem.edges) {
    const KernelSet ends = just(edge.source) | just(edge.destination);
    const KernelSet together = ends | (below[edge.source] & above[edge.destination]);
    const bool passes_differ = apart && !contains(forward, ends) && (ends & forward) != 0;
    const bool crosses = passes_differ || (ends & solitary) != 0 || sram_of(together) > sram_capacity;
    unavoidable.push_back(crosses ? 1 : 0);
    const Ticks traffic = ticks_of(edge.traffic);
    if (!crosses) {  // due once its source is done and its destination is not
      due_memory[edge.source] += traffic;
      due_memory[edge.destination] -= traffic;
      continue;
    }
    for (const std::size_t end : {edge.source, edge.destination}) {
      if (contains(solitary, just(end))) continue;
      total_memory += traffic;
      due_memory[end] -= traffic;
    }
  }
}

void PartitionInstance::find_symmetric() {
  const auto signature = [&](std::size_t k) {
    return std::tuple{compute[k],    network[k],  memory[k],        sram[k],
                      sram_alone[k], arriving[k], live_arriving[k], levels.kind_of(k)};
  };
  for (KernelSet rest = sinks; rest != 0; rest &= rest - 1) {
    const std::size_t k = lowest(rest);
    std::size_t c = 0;
    while (c < symmetric.size() && signature(lowest(symmetric[c])) != signature(k)) ++c;
    if (c == symmetric.size()) symmetric.push_back(0);
    symmetric[c] |= just(k);
    symmetric_class[k] = static_cast<std::uint8_t>(c);
  }
  for (const KernelSet members : symmetric)
    if (!is_single(members)) interchangeable.push_back(members);
}

}  // namespace dfsweep::dataflow
