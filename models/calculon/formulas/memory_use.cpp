#include "models/calculon/formulas/memory_use.hpp"

#include <algorithm>

namespace dfsweep::calculon {

namespace {

/// Micro-batches whose activations a stage holds, in stages of blocks: min(M, p), more with interleaving.
double batches_in_flight(const StageShape& shape) {
  const double in_flight = std::min(shape.micro_batches, shape.stages);
  if (shape.chunks <= 1.0) return in_flight;
  return in_flight * (1.0 + (shape.stages - 1.0) / (shape.chunks * shape.stages));
}

MemoryParts whole_parts(const BlockSums& block, const OptimizerSums& optimizer, const StageShape& shape,
                        const Execution& x) {
  MemoryParts parts;
  parts.weights = block.weight_bytes * shape.blocks;
  parts.activations = block.working_bytes;
  if (!x.training) return parts;
  const double in_flight = batches_in_flight(shape);
  if (x.recompute == Recompute::full)
    parts.checkpoints = shape.blocks * block.checkpoint_bytes * in_flight;
  else
    parts.activations = block.working_bytes + block.stored_bytes * (shape.blocks * in_flight - 1.0);
  parts.activation_gradients = block.activation_gradient_bytes;
  // The block at work has unsharded gradients.
  parts.weight_gradients = shape.blocks == 1.0
                               ? block.weight_gradient_bytes
                               : block.weight_gradient_bytes + optimizer.weight_gradient_bytes * (shape.blocks - 1.0);
  parts.optimizer = optimizer.state_bytes * shape.blocks;
  return parts;
}

MemoryParts resident_parts(const BlockSums& block, const OptimizerSums& optimizer, const Execution& x) {
  MemoryParts parts;
  parts.weights = block.weight_bytes * 2.0;
  parts.activations = x.recompute == Recompute::full ? block.working_bytes : block.working_bytes + block.stored_bytes;
  parts.checkpoints = block.checkpoint_bytes * 2.0;
  parts.activation_gradients = block.activation_gradient_bytes;
  parts.weight_gradients = block.weight_gradient_bytes + optimizer.weight_gradient_bytes;
  parts.optimizer = optimizer.state_bytes * 2.0;
  return parts;
}

}  // namespace

MemoryUse memory_use(const BlockSums& block, const OptimizerSums& optimizer, const StageShape& shape,
                     const Execution& x) {
  MemoryUse use;
  const MemoryParts& whole = use.whole = whole_parts(block, optimizer, shape, x);
  const MemoryParts& resident = use.resident = resident_parts(block, optimizer, x);
  const bool is_full = x.recompute == Recompute::full;

  use.tier_1 = x.weight_offload ? resident.weights : whole.weights;
  if (x.weight_offload) use.tier_2 = whole.weights;
  if (x.activation_offload) {
    use.tier_1 += resident.activations;
    if (is_full) use.tier_1 += resident.checkpoints;
    use.tier_2 += is_full ? whole.checkpoints : whole.activations;
  } else {
    use.tier_1 += whole.activations + whole.checkpoints;
  }
  if (x.optimizer_offload) {
    use.tier_1 += resident.weight_gradients;
    use.tier_1 += resident.optimizer;
    use.tier_2 += optimizer.weight_gradient_bytes * shape.blocks;
    use.tier_2 += whole.optimizer;
  } else {
    use.tier_1 += whole.weight_gradients + whole.optimizer;
  }
  use.tier_1 += whole.activation_gradients;
  return use;
}

Rejection memory_rejection(const MemoryUse& use, const System& system) {
  if (use.tier_1 > system.memory.capacity) return Rejection::memory_tier_1;
  if (use.tier_2 > system.offload.capacity) return Rejection::memory_tier_2;
  return Rejection::none;
}

}  // namespace dfsweep::calculon
