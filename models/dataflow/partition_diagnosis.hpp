/// Diagnosis: why a partition problem has no solution, and by how much it misses one.
#pragma once

#include "models/dataflow/partition_search.hpp"

namespace dfsweep {

/// The binding constraint of a problem that was proven infeasible.
[[nodiscard]] Infeasibility diagnosis_of(const PartitionProblem& problem);

}  // namespace dfsweep
