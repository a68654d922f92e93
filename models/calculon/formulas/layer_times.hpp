/// Times of a layer: computing and memory traffic of each stage, and the collectives of the tensor-parallel group.
/// Source: [calculon].
#pragma once

#include "models/calculon/formulas/layer.hpp"

namespace dfsweep::calculon {

/// One stage of a layer (forward, activation gradient, weight gradient, optimizer step), in FLOP, B and s.
struct StageTime {
  ExactCount flops;
  double flops_time = 0.0;
  double bytes = 0.0;
  double memory_time = 0.0;
  double time = 0.0;     ///< of processing
  double exposed = 0.0;  ///< share of the collective that an overlapped layer cannot hide, s
};

/// Collectives of a layer: forward, with the activation gradient, and again before it where the layer is gathered
/// again.
struct LayerComm {
  double forward_bytes = 0.0;
  double gradient_bytes = 0.0;
  double redo_bytes = 0.0;
  double forward = 0.0;  ///< s
  double gradient = 0.0;
  double redo = 0.0;
};

/// Blocks of a chunk: all but its last are base blocks, the last is the edge block, which feeds the next stage.
enum class BlockPlace : std::uint8_t { base, edge };

struct LayerTimes {
  StageTime forward;
  StageTime activation_gradient;
  StageTime weight_gradient;
  LayerComm base;
  LayerComm edge;
  double forward_bandwidth = 0.0;   ///< B/s that hide the collective of an overlapped layer; 0: none needed
  double gradient_bandwidth = 0.0;  ///< the same with the activation gradient
};

/// What the layers of a block run on.
struct LayerMachine {
  const System& system;
  const EngineRate& matrix;
  const EngineRate& vector;
  const NetworkTier& tensor_network;
  TensorOverlap overlap = TensorOverlap::none;
};

/// Pre: `machine.overlap` is a known one.
[[nodiscard]] LayerTimes layer_times(const Layer& layer, const LayerContext& context, const LayerMachine& machine);

/// Adam: 11 FLOP a weight; moments and, below 4 bytes, a master copy of the weights go to memory. Each of `shards` data
/// parallel processors does its share.
[[nodiscard]] StageTime optimizer_step(const Layer& layer, const LayerContext& context, const LayerMachine& machine,
                                       std::int64_t shards);
/// ((e < 4 ? 4W : 0) + 8W) / shards, B.
[[nodiscard]] double optimizer_bytes(const Layer& layer, const LayerContext& context, std::int64_t shards);

}  // namespace dfsweep::calculon
