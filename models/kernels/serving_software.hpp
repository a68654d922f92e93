/// Serving software: what a serving stack reaches of an accelerator and its links, and what its host and scheduler add.
///
/// Defaults serve an unknown stack. None is fitted; docs/models/serving.md says where each is from. Entries of
/// "software" give what is theirs.
#pragma once

#include "models/units.hpp"

namespace dfsweep::serving {

struct ServingMatrix {
  double peak_share = 0.70;          ///< of the peak rate, for large products
  double share_8bit = 0.857;         ///< multiplies peak_share at 8 bits
  double share_4bit = 0.714;         ///< multiplies peak_share at 4 bits
  double half_rows = 32.0;           ///< tokens at which a product runs at half of its rate
  double memory_share = 0.80;        ///< of the memory bandwidth, for weights and activations
  double expert_peak_share = 0.7;    ///< multiplies peak_share for routed experts
  double expert_memory_share = 0.8;  ///< multiplies memory_share for their weights
};

struct ServingCache {
  double peak_share = 0.45;    ///< of the 16-bit peak rate, for attention over a prompt
  double share_8bit = 0.778;   ///< multiplies peak_share at 8 bits, where the cache is of 8 bits
  double memory_share = 0.80;  ///< of the memory bandwidth, for keys and values
  double grouped = 0.08;       ///< further cost for each query head beyond the first of a group
};

struct ServingLinks {
  double inside = 0.6;       ///< of the link bandwidth in a node
  double across = 0.6;       ///< of the bandwidth between nodes
  Seconds exchange{6.4e-6};  ///< of one step of an exchange beyond the latency of the link: launch and skew
};

struct ServingHost {
  Seconds layer{8e-6};           ///< of a layer in a step
  Seconds expert_layer{10e-6};   ///< more for a layer with experts
  Seconds step{1e-3};            ///< of a step: scheduling, sampling, copies
  Seconds sequence{5e-6};        ///< of a step for each sequence
  Seconds prompt_launch{50e-6};  ///< to launch a layer on a prompt without a graph; hides behind the device
};

struct ServingTraffic {
  double hidden = 40.0;  ///< bytes per token and hidden number of a layer, element-wise
  double logit = 12.0;   ///< bytes per logit
};

struct ServingMemory {
  double cache_share = 0.93;  ///< of what weights and buffers leave
  Bytes reserved{2.5e9};      ///< context, libraries, graphs
};

struct ServingSoftware {
  ServingMatrix matrix;
  ServingCache cache;
  ServingLinks links;
  ServingHost host;
  ServingTraffic traffic;
  ServingMemory memory;
};

/// Bounds of shares: what no stack exceeds.
inline constexpr double most_matrix_share = 0.9;
inline constexpr double most_memory_share = 0.95;
inline constexpr double most_attention_share = 0.8;
inline constexpr double most_link_share = 1.0;

/// v / (1 + (v/b)^8)^(1/8): v far below the bound b, b far above it.
[[nodiscard]] double bounded(double share, double bound);

}  // namespace dfsweep::serving
