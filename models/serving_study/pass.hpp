/// A pass of a transformer in the serving study of the DFModel paper: decode or prefill over tensor groups and stages.
///
/// [dfmodel] section 10. The layer has full keys and values and two feed-forward matrices, whatever the model says;
/// one partition holds it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/kernels/kernel.hpp"
#include "models/machine/hardware.hpp"
#include "models/machine/topology.hpp"
#include "models/units.hpp"

namespace dfsweep::serving_study {

struct Model {
  double layers = 0.0;
  double hidden = 0.0;
  double heads = 0.0;
  double ffn_hidden = 0.0;
};

struct Machine {
  Device device;
  Bandwidth memory_bandwidth;
  Bytes memory_capacity;
  Bandwidth link_bandwidth;
  Seconds link_latency;
  DimensionKind tensor_links = DimensionKind::ring;
};

struct Pass {
  bool reads_cache = false;  ///< decode: keys and values of `context` tokens are in the memory
  double sequences = 1.0;    ///< handled at once
  double tokens = 1.0;       ///< of all sequences, handled at once
  double context = 0.0;      ///< tokens before them in each sequence
  double tensor = 1.0;
  double pipeline = 1.0;
  double word_bytes = 2.0;
  double compute_utilization = 0.9;  ///< 0: cycle model
  double all_reduce_passes = 2.0;
  double tiles = 1.0;  ///< cycle model: parts that the tokens are streamed in
  bool overlaps = false;
};

/// Of one layer on one chip.
struct LayerTime {
  Seconds compute;
  Seconds memory;
  Seconds serialization;
  Seconds latency;
  [[nodiscard]] Seconds network() const { return serialization + latency; }
};

/// The kernels of a layer for `tokens` of the pass's tokens, not sharded: 18 as in the forward pass of section 1.1, and
/// two that append to the caches.
[[nodiscard]] std::vector<Kernel> layer_kernels(const Model& model, const Pass& pass, double tokens);
[[nodiscard]] double layer_flop(const Model& model, const Pass& pass);

/// compute        sum of the shards' FLOP / (u peak), or the cycle model / frequency; element-wise kernels outside
///                attention and feed-forward network run in full on every chip
/// memory         (weights, and for decode two caches of h words for each token of the context of each sequence) / t
///                / DRAM bandwidth; weights stay on the chip in prefill
/// serialization  2 all-reduces of h tokens words
/// latency        2 all-reduces of 2 (t - 1) link latencies
[[nodiscard]] LayerTime layer_time(const Model& model, const Machine& machine, const Pass& pass);

/// Layers of a stage, ceil(layers / p), times the layer: the sum of its parts, or the largest where they overlap.
[[nodiscard]] Seconds stage_time(const Model& model, const Machine& machine, const Pass& pass);

/// Time of a pass through all stages: p stages and p - 1 transfers of (h tokens / t words / bandwidth + latency).
[[nodiscard]] Seconds pass_latency(const Model& model, const Machine& machine, const Pass& pass);

/// Time of `passes` passes one after another: the stage times them, and a bubble 1 + (p - 1) / (passes max(l - 1, 1)),
/// l layers in a stage.
[[nodiscard]] Seconds run_time(const Model& model, const Machine& machine, const Pass& pass, double passes);

/// Weights and caches of a stage on one chip.
struct Footprint {
  Bytes weights;
  Bytes cache;
};
[[nodiscard]] Footprint footprint(const Model& model, const Pass& pass);

}  // namespace dfsweep::serving_study
