/// Passes of a stage: what its blocks and chunks take forward and backward, with transfers and waiting for offload.
#pragma once

#include "models/calculon/formulas/block_sums.hpp"
#include "models/calculon/formulas/stage_shape.hpp"

namespace dfsweep::calculon {

/// Everything that the formulas of a batch read. Pre: no rejection rule but those on memory is broken.
struct BatchInputs {
  const BlockSums& block;
  const OptimizerSums& optimizer;
  const System& system;
  const Execution& execution;
  const StageShape& shape;
};

/// A block of one place, in s: without and with waiting for the offload tier.
struct BlockPass {
  double forward_alone = 0.0;
  double backward_alone = 0.0;
  double forward_wait = 0.0;
  double backward_wait = 0.0;
  [[nodiscard]] double forward() const { return forward_alone + forward_wait; }
  [[nodiscard]] double backward() const { return backward_alone + backward_wait; }
};

/// What blocks and chunks of a stage take.
struct StagePasses {
  BlockPass base;
  BlockPass edge;
  double forward_transfer = 0.0;  ///< to the next stage, s; the latency where there is none
  double backward_transfer = 0.0;
  double chunk_forward = 0.0;
  double chunk_backward = 0.0;
  double forward_offload_bytes = 0.0;  ///< moved to or from tier 2 while a block runs
  double backward_offload_bytes = 0.0;
};

/// Bandwidths of tier 2 that hide what is offloaded, in B/s.
struct OffloadBandwidths {
  double activations = 0.0;
  double weights = 0.0;
  double optimizer = 0.0;
  double all = 0.0;
};

[[nodiscard]] StagePasses stage_passes(const BatchInputs& inputs);
[[nodiscard]] OffloadBandwidths offload_bandwidths(const BatchInputs& inputs, const StagePasses& passes);

}  // namespace dfsweep::calculon
