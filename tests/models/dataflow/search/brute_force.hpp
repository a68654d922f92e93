/// Brute force: the best mapping by looking at every one, for graphs of a few kernels.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "models/dataflow/search/partition_problem.hpp"

namespace dfsweep::test {

/// Calls visit(partitions) for every list of disjoint non-empty sets that covers the kernels and follows the edges.
inline void for_each_mapping(const dataflow::PartitionProblem& problem,
                             const std::function<void(const std::vector<dataflow::KernelSet>&)>& visit) {
  const std::size_t n = problem.kernels.size();
  const dataflow::KernelSet all = (dataflow::KernelSet{1} << n) - 1;
  std::vector<dataflow::KernelSet> predecessors(n, 0);
  for (const dataflow::PartitionEdge& edge : problem.edges)
    predecessors[edge.destination] |= dataflow::KernelSet{1} << edge.source;
  std::vector<dataflow::KernelSet> partitions;
  const std::function<void(dataflow::KernelSet)> next = [&](dataflow::KernelSet done) {
    if (done == all) return visit(partitions);
    const dataflow::KernelSet rest = all & ~done;
    for (dataflow::KernelSet inside = rest; inside != 0; inside = (inside - 1) & rest) {
      bool closed = true;
      for (std::size_t k = 0; k < n; ++k)
        if ((inside >> k & 1U) != 0 && (predecessors[k] & ~(done | inside)) != 0) closed = false;
      if (!closed) continue;
      partitions.push_back(inside);
      next(done | inside);
      partitions.pop_back();
    }
  };
  next(0);
}

/// What varies over one graph in the exhaustive tests.
struct Variant {
  Bytes sram_capacity;
  Bytes live_capacity;
  dataflow::Overlap overlap;
  dataflow::PassMixing mixing;
  dataflow::CountRule count_rule;
  std::size_t count;
};

/// What a partition takes in each overlap mode.
struct Looked {
  bool known = false;
  double sram = 0.0;
  double live = 0.0;
  double time[3] = {0.0, 0.0, 0.0};
};
inline Looked look(const dataflow::PartitionProblem& problem, dataflow::KernelSet done, dataflow::KernelSet inside) {
  const dataflow::PartitionUse use = dataflow::use_of(problem, done, inside);
  Looked looked{true, use.sram.value(), use.live.value(), {}};
  for (const dataflow::Overlap overlap :
       {dataflow::Overlap::perfect, dataflow::Overlap::none, dataflow::Overlap::network_exposed})
    looked.time[static_cast<int>(overlap)] =
        dataflow::combined(overlap, use.compute.value(), use.memory.value(), use.network.value());
  return looked;
}

/// Least time for each variant of the problem, infinite where there is no mapping. [variant]
inline std::vector<double> brute_force(const dataflow::PartitionProblem& problem,
                                       const std::vector<Variant>& variants) {
  const double none = std::numeric_limits<double>::infinity();
  std::vector<double> best(variants.size(), none);
  dataflow::KernelSet forward = 0;
  for (std::size_t k = 0; k < problem.kernels.size(); ++k)
    if (problem.kernels[k].pass == Pass::forward) forward |= dataflow::KernelSet{1} << k;
  // The uses of partitions recur in many mappings. [done][inside]
  const std::size_t sets = std::size_t{1} << problem.kernels.size();
  std::vector<Looked> looked(sets * sets);
  for_each_mapping(problem, [&](const std::vector<dataflow::KernelSet>& partitions) {
    double sram = 0.0;
    double live = 0.0;
    double time[3] = {0.0, 0.0, 0.0};
    std::size_t mixed = 0;
    bool ordered = true;
    dataflow::KernelSet done = 0;
    for (const dataflow::KernelSet inside : partitions) {
      Looked& use = looked[done * sets + inside];
      if (!use.known) use = look(problem, done, inside);
      sram = std::max(sram, use.sram);
      live = std::max(live, use.live);
      for (std::size_t overlap = 0; overlap < 3; ++overlap) time[overlap] += use.time[overlap];
      done |= inside;
      if ((inside & forward) != 0 && (inside & ~forward) != 0) ++mixed;
      if ((inside & ~forward) != 0 && (forward & ~done) != 0) ordered = false;
    }
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const Variant& variant = variants[v];
      if (sram > variant.sram_capacity.value() || live > variant.live_capacity.value()) continue;
      if (variant.mixing != dataflow::PassMixing::free && !ordered) continue;
      if (variant.mixing == dataflow::PassMixing::separate && mixed > 0) continue;
      if (variant.count_rule == dataflow::CountRule::exactly && partitions.size() != variant.count) continue;
      if (variant.count_rule == dataflow::CountRule::at_most && partitions.size() > variant.count) continue;
      best[v] = std::min(best[v], time[static_cast<int>(variant.overlap)]);
    }
  });
  return best;
}

}  // namespace dfsweep::test
