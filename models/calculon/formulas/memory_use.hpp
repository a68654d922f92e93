/// Memory of a processor: what it holds, what must stay beside it with offload, and what each tier needs.
#pragma once

#include "models/calculon/formulas/block_sums.hpp"
#include "models/calculon/formulas/rejection.hpp"
#include "models/calculon/formulas/stage_shape.hpp"

namespace dfsweep::calculon {

/// In bytes.
struct MemoryParts {
  double weights = 0.0;
  double activations = 0.0;
  double checkpoints = 0.0;  ///< inputs of blocks that are recomputed in full
  double activation_gradients = 0.0;
  double weight_gradients = 0.0;
  double optimizer = 0.0;
};

struct MemoryUse {
  MemoryParts whole;
  MemoryParts resident;  ///< least that stays in tier 1 if the part is offloaded
  double tier_1 = 0.0;
  double tier_2 = 0.0;
};

[[nodiscard]] MemoryUse memory_use(const BlockSums& block, const OptimizerSums& optimizer, const StageShape& shape,
                                   const Execution& execution);

/// memory_tier_1, memory_tier_2 or none; tier 1 is tested first.
[[nodiscard]] Rejection memory_rejection(const MemoryUse& use, const System& system);

}  // namespace dfsweep::calculon
