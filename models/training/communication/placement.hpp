/// Placement: which ranks of a group share a node. Ranks are numbered tensor first, then context, data, pipeline;
/// experts are spread over consecutive ranks of the first three, those that share an expert side by side. So every
/// device of a node has exactly one place.
/// Source: docs/models/training.md.
#pragma once

#include "models/kernels/execution.hpp"
#include "models/machine/group_place.hpp"

namespace dfsweep::training {

struct Placement {
  GroupPlace tensor;
  GroupPlace context;
  GroupPlace data_context;  ///< replicas of the same dense weights
  GroupPlace expert;
  GroupPlace expert_tensor;  ///< ranks that share an expert
  GroupPlace expert_data;    ///< replicas of the same experts
  GroupPlace pipeline;
};

/// Pre: expert_ranks divides tensor x context x data.
[[nodiscard]] Placement place(const Parallelism& parallel, const Enclosures& enclosures);

}  // namespace dfsweep::training
