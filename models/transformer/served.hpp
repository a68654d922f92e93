/// Served: the sizes of a transformer that determine compute, traffic and memory of serving.
#pragma once

#include "models/transformer/architecture.hpp"

namespace dfsweep {

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
  double embedding_weights = 0.0;  ///< embedding and output layer
  double output_weights = 0.0;     ///< output layer only
  double experts = 0.0;            ///< routed experts per layer; 0: no experts
  double experts_per_token = 0.0;
  double cache_numbers = 0.0;    ///< numbers per token in the KV caches of all layers
  bool is_latent = false;        ///< latent attention: one vector for all heads, replicated on every device
  double score_flop = 0.0;       ///< 4 (dk + dv)/2 heads, all layers: FLOP of one token per position before it
  double decode_flop = 0.0;      ///< the same of a decoded token; latent attention: 2 heads (2 rank + rotary width)
  double window = 0.0;           ///< positions that windowed layers read, or that an indexer selects; 0: all
  double windowed_layers = 0.0;  ///< share of windowed layers; 1 with an indexer
  double indexed_layers = 0.0;   ///< layers with an indexer
  double index_numbers = 0.0;    ///< numbers per token in the caches of all indexers
  double index_flop = 0.0;       ///< FLOP of all indexers of one token per position before it
  double state_numbers = 0.0;    ///< numbers per sequence in the states of all layers of linear attention
};

/// Latent attention caches rkv + dr numbers per token and layer, independent of the heads [deepseekv2] section 2.1;
/// decoding multiplies queries by them directly, with rkv + dr numbers for scores and rkv for values (absorbed).
/// Layers of linear attention have states instead of a cache and of scores.
[[nodiscard]] Served served(const Architecture& architecture);

}  // namespace dfsweep
