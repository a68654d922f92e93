/// Architecture: the sizes of a transformer that decide what a training step computes, moves and keeps.
#pragma once

#include "models/transformer/entry.hpp"

namespace dfsweep::training {

/// Multi-head latent attention [deepseekv2] section 2.1: queries and key-value pairs pass through narrow projections.
struct LatentAttention {
  double query_rank = 0.0;  ///< 0: no latent attention
  double key_value_rank = 0.0;
  double plain_dim = 0.0;   ///< of a head's query and key, without position
  double rotary_dim = 0.0;  ///< of a head's query and key, with position; the key is shared by all heads
  double value_dim = 0.0;
  bool operator==(const LatentAttention&) const = default;
};

/// Mixture of experts in place of the feed-forward network.
struct Experts {
  double count = 0.0;              ///< routed experts of a layer; 0: none
  double per_token = 0.0;          ///< routed experts that a token visits
  double ffn_hidden = 0.0;         ///< of a routed expert
  double shared_ffn_hidden = 0.0;  ///< of all shared experts together
  double dense_layers = 0.0;       ///< layers that keep the dense feed-forward network
  bool operator==(const Experts&) const = default;
};

/// A decoder. All counts are whole numbers.
struct Architecture {
  double layers = 0.0;
  double hidden = 0.0;
  double heads = 0.0;
  double key_value_heads = 0.0;
  double head_dim = 0.0;
  double ffn_hidden = 0.0;
  double ffn_matrices = 2.0;  ///< 2, or 3 where the feed-forward network has a gate
  double vocabulary = 0.0;    ///< 0: unknown
  bool tied_embeddings = false;
  double window = 0.0;           ///< tokens that windowed layers look back; 0: none
  double windowed_layers = 0.0;  ///< share of the layers that are windowed, 0 to 1
  double prediction_layers =
      0.0;  ///< further layers, each with an output layer, that predict later tokens [deepseekv3]
  LatentAttention latent;
  Experts experts;
  bool operator==(const Architecture&) const = default;
};

/// What `training` and `serving` take where the entry is silent: key_value_heads = heads, head_dim = hidden / heads,
/// ffn_hidden = 4 hidden, all windowed layers where there is a window. Problems: parts of latent attention or of
/// experts that are missing.
[[nodiscard]] Decoded<Architecture> architecture_of(const transformer::TransformerEntry& entry);
/// Both steps.
[[nodiscard]] Decoded<Architecture> decode_architecture(const Entry& entry);

/// Width of a head's query and key, and of its value.
[[nodiscard]] double key_dim(const Architecture& a);
[[nodiscard]] double value_dim(const Architecture& a);

/// Layers with routed experts (prediction layers are like the last layer), and those without.
[[nodiscard]] double all_layers(const Architecture& a);
[[nodiscard]] double expert_layers(const Architecture& a);
[[nodiscard]] double dense_layers(const Architecture& a);

/// Parameters of the matrices of one layer's attention: h (a + 2 kv) d + a d h, or the projections of latent attention
/// h rq + rq a (dn + dr) + h (rkv + dr) + rkv a (dn + dv) + a dv h.
[[nodiscard]] double attention_parameters(const Architecture& a);
/// Of these, the projections that widen latent vectors: rq a (dn + dr) + rkv a (dn + dv); 0 without latent attention.
[[nodiscard]] double latent_up_parameters(const Architecture& a);
/// Parameters of a dense feed-forward network, of one routed expert, and of all shared experts with the router.
[[nodiscard]] double ffn_parameters(const Architecture& a);
[[nodiscard]] double expert_parameters(const Architecture& a);
[[nodiscard]] double shared_parameters(const Architecture& a);
/// V h: the embedding, and as much again for the output layer where they are not tied.
[[nodiscard]] double embedding_parameters(const Architecture& a);
/// All parameters but the norms.
[[nodiscard]] double total_parameters(const Architecture& a);
/// Those that multiply a token's activations: routed experts count `per_token` times, the embedding table does not.
[[nodiscard]] double active_parameters(const Architecture& a);

}  // namespace dfsweep::training
