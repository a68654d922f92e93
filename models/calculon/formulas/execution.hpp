/// Execution: how a training step of a transformer runs on the processors; the inputs of the Calculon model.
#pragma once

#include <cstdint>

#include "models/calculon/formulas/system.hpp"

namespace dfsweep::calculon {

/// A transformer of equal blocks. heads * head_size need not equal hidden.
struct ModelShape {
  std::int64_t hidden = 1;
  std::int64_t feedforward = 1;
  std::int64_t sequence = 1;
  std::int64_t heads = 1;
  std::int64_t head_size = 1;
  std::int64_t blocks = 1;
};

/// Values that the model does not know are inputs too: they give a rejection.
enum class Attention : std::uint8_t { multihead, multiquery, unknown };
enum class Recompute : std::uint8_t { none, attention, full, unknown };
enum class TensorComm : std::uint8_t { all_reduce, p2p_reduce_scatter_all_gather, reduce_scatter_all_gather, unknown };
enum class TensorOverlap : std::uint8_t { none, ring, pipe, unknown };

struct Execution {
  std::int64_t processors = 1;
  std::int64_t tensor_parallel = 1;
  std::int64_t pipeline_parallel = 1;
  std::int64_t data_parallel = 1;
  std::int64_t tensor_network = 0;  ///< index of the tier
  std::int64_t pipeline_network = 0;
  std::int64_t data_network = 0;
  std::int64_t global_batch = 1;  ///< sequences
  std::int64_t micro_batch = 1;   ///< sequences
  Datatype datatype = Datatype::float16;
  bool fused_activation = true;
  Attention attention = Attention::multihead;
  Recompute recompute = Recompute::none;
  std::int64_t interleaving = 1;  ///< chunks of blocks per processor
  bool optimizer_sharding = false;
  TensorComm tensor_comm = TensorComm::all_reduce;
  TensorOverlap tensor_overlap = TensorOverlap::none;
  bool sequence_parallel_redo = false;  ///< backward gathers the sequence-parallel input again instead of keeping it
  bool data_overlap = false;
  bool weight_offload = false;
  bool activation_offload = false;
  bool optimizer_offload = false;
  bool training = true;  ///< false: forward only
};

/// Blocks of a processor: ceil(L / p).
[[nodiscard]] constexpr std::int64_t blocks_per_processor(const ModelShape& model, std::int64_t pipeline_parallel) {
  return (model.blocks + pipeline_parallel - 1) / pipeline_parallel;
}

/// Divisor of optimizer state and stored weight gradients.
[[nodiscard]] constexpr std::int64_t shards_of(const Execution& execution) {
  return execution.optimizer_sharding ? execution.data_parallel : 1;
}

}  // namespace dfsweep::calculon
