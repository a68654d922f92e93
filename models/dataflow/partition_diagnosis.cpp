/// Finding the binding constraint.
#include "models/dataflow/partition_diagnosis.hpp"

namespace dfsweep {

Infeasibility diagnosis_of(const PartitionProblem& problem) {
  Infeasibility found;
  found.binding = BindingConstraint::none;
  for (std::size_t k = 0; k < problem.kernels.size(); ++k) {
    const Bytes alone = problem.kernels[k].sram_alone;
    if (alone > problem.sram_capacity && alone.value() > found.needed)
      found = {BindingConstraint::sram, alone.value(), problem.sram_capacity.value(), k};
  }
  return found;
}

}  // namespace dfsweep
