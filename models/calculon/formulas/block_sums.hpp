/// Sums over the layers of one block for one micro-batch: the part of the model that few inputs decide.
#pragma once

#include "models/calculon/formulas/block_layers.hpp"
#include "models/calculon/formulas/layer_times.hpp"

namespace dfsweep::calculon {

/// Sum of one stage over the layers of a block.
struct StageSum {
  double flops = 0.0;
  double flops_time = 0.0;   ///< s
  double bytes = 0.0;        ///< memory traffic
  double memory_time = 0.0;  ///< s
  double time = 0.0;         ///< of processing, s
};

/// Collectives of the tensor-parallel group in a block of one place; times in s.
struct CommSum {
  double forward = 0.0;
  double gradient = 0.0;
  double redo = 0.0;
  double forward_exposed = 0.0;
  double gradient_exposed = 0.0;
  double redo_exposed = 0.0;
  double forward_bytes = 0.0;
  double gradient_bytes = 0.0;
  double redo_bytes = 0.0;
};

/// One block and one micro-batch. The backward parts are zero without training.
struct BlockSums {
  StageSum forward;
  /// Only `time` is the work done again: the other figures add, for every layer done again, the forward sum up to that
  /// layer [Calculon, a sum of running totals].
  StageSum recompute;
  StageSum activation_gradient;
  StageSum weight_gradient;
  CommSum base;
  CommSum edge;
  double overlap_bandwidth = 0.0;  ///< B/s that hide all collectives of overlapped layers
  double weight_bytes = 0.0;
  double working_bytes = 0.0;     ///< activations of the block that is being worked on
  double stored_bytes = 0.0;      ///< activations kept for backward
  double checkpoint_bytes = 0.0;  ///< input kept for full recomputation
  double activation_gradient_bytes = 0.0;
  double weight_gradient_bytes = 0.0;  ///< unsharded, 4 bytes each
  double pipeline_bytes = 0.0;         ///< message to the next stage; counted whatever the number of stages
};

/// What depends on the sharding of the optimizer, too.
struct OptimizerSums {
  StageSum step;
  double weight_gradient_bytes = 0.0;  ///< stored, sharded
  double state_bytes = 0.0;
};

/// Pre: the rejection rules for sizes and formats hold; `machine` fits the setting.
[[nodiscard]] BlockSums block_sums(const BlockSetting& setting, const LayerMachine& machine);
/// Zero without training. Pre: as above; shards >= 1.
[[nodiscard]] OptimizerSums optimizer_sums(const BlockSetting& setting, const LayerMachine& machine,
                                           std::int64_t shards);
/// FLOP of a block and a micro-batch that are not done twice; those of the optimizer step count each time. Pre: as
/// above.
[[nodiscard]] ExactCount useful_flops(const BlockSetting& setting, std::int64_t shards);

/// The engines of the datatype and the tensor-parallel tier. Pre: the system has both and outlives the result.
[[nodiscard]] LayerMachine layer_machine(const System& system, const Execution& execution);

}  // namespace dfsweep::calculon
