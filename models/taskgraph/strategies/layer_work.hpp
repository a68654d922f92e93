/// Layer work: what a layer asks of one device, its products, attention, exchanges and memory.
#pragma once

#include <array>

#include "models/taskgraph/work/exchange.hpp"
#include "models/taskgraph/work/products.hpp"

namespace dfsweep::taskgraph {

/// Work of one device of a group for the attention of a layer.
struct AttentionWork {
  std::array<Product, 3> projections;  ///< queries; keys and values; output
  AttentionCore core;
  Exchange exchange;
};

/// Work of one device for the feed-forward network of a layer: up and down, or experts.
struct FfnWork {
  std::array<Product, 2> products;
  Exchange exchange;
  double routed_tokens = 0.0;  ///< tokens that visit experts, instead of the products; 0: dense
};

/// Memory of a layer on one device, and its work for one tile of tokens.
struct LayerOnDevice {
  Bytes weights;
  Bytes buffers;               ///< keys and values, which stay for all tiles
  Bytes activations_of_token;  ///< peak of live activations per token
  AttentionWork attention;
  FfnWork ffn;
};

}  // namespace dfsweep::taskgraph
