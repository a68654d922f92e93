/// Served: the sizes of a transformer that decide what serving it computes, reads and keeps.
#pragma once

#include "models/transformer/architecture.hpp"

namespace dfsweep::serving {

/// Counts over all layers of the model. Weights are numbers, not bytes.
struct Served {
  double layers = 0.0;
  double expert_layers = 0.0;
  double hidden = 0.0;
  double vocabulary = 0.0;
  double key_value_heads = 0.0;
  double queries_per_key = 1.0;    ///< query heads that share one head of keys and values
  double attention_weights = 0.0;  ///< projections of queries, keys, values and output
  double dense_weights = 0.0;      ///< feed-forward networks, shared experts and routers
  double expert_weights = 0.0;     ///< all routed experts
  double embedding_weights = 0.0;  ///< with the output layer
  double output_weights = 0.0;     ///< of the output layer
  double experts = 0.0;            ///< of a layer; 0: none
  double experts_per_token = 0.0;
  double cache_numbers = 0.0;    ///< of one token in the caches of all layers
  bool is_latent = false;        ///< keys and values of all heads are one vector, which every device needs
  double score_flop = 0.0;       ///< 4 (dk + dv)/2 heads, all layers: FLOP of one token with one position before it
  double window = 0.0;           ///< tokens that windowed layers look back; 0: none
  double windowed_layers = 0.0;  ///< share of the layers
};

/// Latent attention keeps rkv + dr numbers of a token and layer, whatever the heads [deepseekv2] section 2.1.
[[nodiscard]] Served served(const training::Architecture& architecture);

}  // namespace dfsweep::serving
