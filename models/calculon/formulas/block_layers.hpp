/// Layers of one transformer block on one processor, in order.
#pragma once

#include <vector>

#include "models/calculon/formulas/layer.hpp"

namespace dfsweep::calculon {

/// Everything that the layers of a block depend on.
struct BlockSetting {
  ModelShape model;
  std::int64_t element_bytes = 2;
  std::int64_t tensor_parallel = 1;
  std::int64_t micro_batch = 1;
  bool fused_activation = true;
  Attention attention = Attention::multihead;
  Recompute recompute = Recompute::none;
  TensorComm tensor_comm = TensorComm::all_reduce;
  TensorOverlap tensor_overlap = TensorOverlap::none;
  bool sequence_parallel_redo = false;
  bool training = true;
};

/// Pre: the datatype is known.
[[nodiscard]] BlockSetting block_setting(const ModelShape& model, const Execution& execution);

/// Elements of the activation between two blocks: b s h.
[[nodiscard]] std::int64_t activation_elements(const BlockSetting& setting);
/// Those of a processor where the tensor-parallel group splits the sequence: floor(b s / t) h.
[[nodiscard]] std::int64_t split_activation_elements(const BlockSetting& setting);

/// Pre: the rejection rules for sizes hold.
[[nodiscard]] std::vector<Layer> block_layers(const BlockSetting& setting);

}  // namespace dfsweep::calculon
