/// Architecture: the sizes of a transformer that decide what a training step computes, moves and keeps.
#pragma once

#include "models/transformer/entry.hpp"

namespace dfsweep {

/// Multi-head latent attention [deepseekv2] section 2.1: queries and key-value pairs pass through narrow projections;
/// in small models only key-value pairs do.
struct LatentAttention {
  double query_rank = 0.0;      ///< 0: queries are projected at once
  double key_value_rank = 0.0;  ///< 0: no latent attention
  double plain_dim = 0.0;       ///< width of a head's query and key without position
  double rotary_dim = 0.0;      ///< width of a head's query and key with position; all heads share this key
  double value_dim = 0.0;
  [[nodiscard]] bool is_used() const { return key_value_rank > 0.0; }
  bool operator==(const LatentAttention&) const = default;
};

/// Mixture of experts in place of the feed-forward network.
struct Experts {
  double count = 0.0;              ///< routed experts per layer; 0: no experts
  double per_token = 0.0;          ///< routed experts that a token visits
  double ffn_hidden = 0.0;         ///< width of a routed expert
  double shared_ffn_hidden = 0.0;  ///< width of all shared experts together
  double dense_layers = 0.0;       ///< layers with a dense feed-forward network
  bool biases = false;             ///< products of routed experts add biases, and their gate is clamped
  bool operator==(const Experts&) const = default;
};

/// Sparse attention: an indexer scores all positions before a token with heads of its own on one key of each position,
/// and attention reads those that score highest. [deepseekv32] section 2.
struct Indexer {
  double heads = 0.0;  ///< 0: attention reads all positions
  double head_dim = 0.0;
  double positions = 0.0;  ///< that attention reads of those before a token, at most
  bool operator==(const Indexer&) const = default;
};

/// Layers of linear attention with gates and the delta rule: a state of one matrix for each head of values instead of a
/// cache. [gateddeltanet]
struct LinearAttention {
  double layers = 0.0;  ///< 0: no such layers
  double key_heads = 0.0;
  double key_dim = 0.0;  ///< width of a head's query and key
  double value_heads = 0.0;
  double value_dim = 0.0;
  bool operator==(const LinearAttention&) const = default;
};

/// A decoder-only transformer. All counts are whole numbers.
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
  double window = 0.0;           ///< sliding window of windowed layers in tokens; 0: no window
  double windowed_layers = 0.0;  ///< share of windowed layers, 0 to 1
  double prediction_layers =
      0.0;                       ///< further layers, each with an output layer, that predict later tokens [deepseekv3]
  bool gated_attention = false;  ///< the query projection also yields a gate of the result, as wide as the queries
  LatentAttention latent;
  Indexer indexer;
  LinearAttention linear;
  Experts experts;
  bool operator==(const Architecture&) const = default;
};

/// Applies the defaults of `training` and `serving`: key_value_heads = heads, head_dim = hidden / heads, ffn_hidden = 4
/// hidden, all layers windowed where a window is given. Problems: missing fields of latent attention or of experts.
[[nodiscard]] Decoded<Architecture> architecture_of(const TransformerEntry& entry);
/// decode_transformer() followed by architecture_of().
[[nodiscard]] Decoded<Architecture> decode_architecture(const Entry& entry);

/// Width of what queries are projected from: rq of latent attention with narrow queries, else h.
[[nodiscard]] double query_source_dim(const Architecture& a);

/// Width of a head's query and key (key_dim) and of its value (value_dim).
[[nodiscard]] double key_dim(const Architecture& a);
[[nodiscard]] double value_dim(const Architecture& a);

/// Layers with routed experts (a prediction layer has the type of the last layer), and layers without.
[[nodiscard]] double all_layers(const Architecture& a);
[[nodiscard]] double expert_layers(const Architecture& a);
[[nodiscard]] double dense_layers(const Architecture& a);

/// Whether attention of some layers is linear or reads what an indexer selects.
[[nodiscard]] inline bool has_unlike_attention(const Architecture& a) {
  return a.linear.layers > 0.0 || a.indexer.heads > 0.0;
}

/// Parameters of the matrices of one layer's attention: h (a + 2 kv) d + a d h, with a gate h a d more, or the
/// projections of latent attention h rq + rq a (dn + dr) + h (rkv + dr) + rkv a (dn + dv) + a dv h, where the first two
/// are h a (dn + dr) without narrow queries. An indexer of ai heads of di adds rq ai di (h ai di without narrow
/// queries)
/// + h (ai + di).
[[nodiscard]] double attention_parameters(const Architecture& a);
/// Parameters of a layer of linear attention: h (2 ak dk + 2 av dv + 2 av) + av dv h, of queries, keys, values, gates,
/// decay and rate of each head of values, and output. Convolutions over the last tokens have negligible parameters.
[[nodiscard]] double linear_parameters(const Architecture& a);
/// Numbers of the state of a layer of linear attention: av dk dv.
[[nodiscard]] double state_numbers(const Architecture& a);
/// linear_parameters and attention_parameters of all layers. Prediction layers have full attention.
[[nodiscard]] double all_attention_parameters(const Architecture& a);
/// Parameters of the up-projections of latent vectors: rq a (dn + dr) + rkv a (dn + dv), with h in place of rq without
/// narrow queries; 0 without latent attention.
[[nodiscard]] double latent_up_parameters(const Architecture& a);
/// Parameters of a dense feed-forward network, of one routed expert, and of all shared experts including the router.
[[nodiscard]] double ffn_parameters(const Architecture& a);
[[nodiscard]] double expert_parameters(const Architecture& a);
[[nodiscard]] double shared_parameters(const Architecture& a);
/// Parameters of the embedding, V h, and of the output layer, again V h unless it is tied.
[[nodiscard]] double embedding_parameters(const Architecture& a);
/// All parameters except the norms.
[[nodiscard]] double total_parameters(const Architecture& a);
/// Parameters that multiply the activations of a token: `per_token` routed experts, not the embedding table.
[[nodiscard]] double active_parameters(const Architecture& a);

}  // namespace dfsweep
