/// The order ideals of a graph, level by level.
#include "tests/support/order_ideals.hpp"

#include <unordered_map>

#include "models/expect.hpp"

namespace dfsweep::testing {

using namespace dataflow;

OrderIdeals::OrderIdeals(const PartitionProblem& problem) {
  const std::size_t kernels = problem.kernels.size();
  std::vector<KernelSet> predecessors(kernels, 0);
  KernelSet forward = 0;
  for (const PartitionEdge& edge : problem.edges) predecessors[edge.destination] |= KernelSet{1} << edge.source;
  for (std::size_t k = 0; k < kernels; ++k)
    if (problem.kernels[k].pass == Pass::forward) forward |= KernelSet{1} << k;
  for (std::size_t k = 0; k < kernels; ++k) {
    if (problem.kernels[k].pass == Pass::backward && problem.mixing != PassMixing::free) predecessors[k] |= forward;
    DFSWEEP_EXPECT(predecessors[k] >> k == 0);
  }
  std::unordered_map<KernelSet, Index> known{{0, 0}};
  ideals_.emplace_back();
  for (Index i = 0; i < ideals_.size(); ++i) {
    Ideal ideal = ideals_[i];
    for (std::size_t k = 0; k < kernels; ++k) {
      const KernelSet just = KernelSet{1} << k;
      if ((ideal.kernels & just) != 0 || (predecessors[k] & ~ideal.kernels) != 0) continue;
      const auto [found, is_new] = known.emplace(ideal.kernels | just, count());
      if (is_new) ideals_.emplace_back().kernels = ideal.kernels | just;
      ideal.ready |= just;
      ideal.with[k] = found->second;
    }
    ideals_[i] = ideal;
  }
}

}  // namespace dfsweep::testing
