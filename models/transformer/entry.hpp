/// Transformer entry: the decoder of transformers in catalogue "models", shared by all estimators. It decodes the given
/// fields; each estimator applies its own defaults to missing fields.
#pragma once

#include "models/absent.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/entry_table.hpp"

namespace dfsweep {

/// Fields of the entry by name; absent (NaN) where the entry lacks them. Meanings are in transformer_fields.
struct TransformerEntry {
  double global_batch = absent;
  double layers = absent;
  double hidden = absent;
  double heads = absent;
  double head_dim = absent;
  double key_value_heads = absent;
  double ffn_hidden = absent;
  double gated_ffn = absent;
  double post_attention_norm = absent;
  double sequence_length = absent;
  double vocabulary = absent;
  double tied_embeddings = absent;
  double window = absent;
  double windowed_layers = absent;
  double prediction_layers = absent;
  double query_rank = absent;
  double key_value_rank = absent;
  double plain_head_dim = absent;
  double rotary_head_dim = absent;
  double value_head_dim = absent;
  double gated_attention = absent;
  double index_heads = absent;
  double index_head_dim = absent;
  double index_positions = absent;
  double linear_layers = absent;
  double linear_key_heads = absent;
  double linear_key_dim = absent;
  double linear_value_heads = absent;
  double linear_value_dim = absent;
  double experts = absent;
  double experts_per_token = absent;
  double expert_ffn_hidden = absent;
  double shared_ffn_hidden = absent;
  double dense_layers = absent;
  double expert_biases = absent;

  [[nodiscard]] bool has_latent_attention() const { return is_given(key_value_rank) || is_given(query_rank); }
  [[nodiscard]] bool has_indexer() const { return is_given(index_heads) && index_heads > 0.0; }
  [[nodiscard]] bool has_linear_layers() const { return is_given(linear_layers) && linear_layers > 0.0; }
  [[nodiscard]] bool has_experts() const { return is_given(experts) && experts > 0.0; }
};

/// Largest size of a transformer.
inline constexpr double most_size = 1e9;

inline constexpr auto transformer_fields = [] {
  using enum Presence;
  using T = TransformerEntry;
  constexpr FieldRange size = whole_number(1, most_size);
  constexpr FieldRange count = whole_number(0, most_size);
  constexpr FieldRange flag = whole_number(0, 1);
  return std::to_array<FieldRow<T>>({
      number_row<T, &T::global_batch>("global_batch", "1", any_number, optional, "sequences or samples per step"),
      number_row<T, &T::layers>("layers", "1", size, required, "transformer, graph: number of layers"),
      number_row<T, &T::hidden>("hidden", "1", size, required, "transformer: width of the layer"),
      number_row<T, &T::heads>("heads", "1", size, required, "transformer: attention heads"),
      number_row<T, &T::head_dim>("head_dim", "1", size, optional,
                                  "transformer: width of a head; default hidden / heads"),
      number_row<T, &T::key_value_heads>("key_value_heads", "1", size, optional,
                                         "transformer: heads of keys and values; default heads"),
      number_row<T, &T::ffn_hidden>("ffn_hidden", "1", size, optional,
                                    "transformer: width of the feed-forward network; default 4 hidden"),
      number_row<T, &T::gated_ffn>("gated_ffn", "1", flag, optional,
                                   "transformer: 1 where the feed-forward network has a gate; default 0"),
      number_row<T, &T::post_attention_norm>(
          "post_attention_norm", "1", flag, optional,
          "transformer: 0 where attention and feed-forward network share a norm; default 1"),
      number_row<T, &T::sequence_length>("sequence_length", "1", size, optional,
                                         "transformer: tokens of a sequence, where the sweep does not give them"),
      number_row<T, &T::vocabulary>("vocabulary", "1", count, optional,
                                    "transformer: tokens that it knows; 0: unknown"),
      number_row<T, &T::tied_embeddings>(
          "tied_embeddings", "1", flag, optional,
          "transformer: 1 where embedding and output layer share their weights; default 0"),
      number_row<T, &T::window>("window", "1", count, optional,
                                "transformer: sliding window of windowed layers in tokens; default: no window"),
      number_row<T, &T::windowed_layers>("windowed_layers", "1", not_negative_number, optional,
                                         "transformer: share of the layers with a window; default 1"),
      number_row<T, &T::prediction_layers>("prediction_layers", "1", count, optional,
                                           "transformer: additional layers that predict later tokens; default 0"),
      number_row<T, &T::query_rank>(
          "query_rank", "1", size, optional,
          "transformer with latent attention: width of the projection of queries; default: they have none"),
      number_row<T, &T::key_value_rank>(
          "key_value_rank", "1", size, optional,
          "transformer with latent attention: width of the projection of keys and values"),
      number_row<T, &T::plain_head_dim>("plain_head_dim", "1", count, optional,
                                        "transformer with latent attention: width of a key without position"),
      number_row<T, &T::rotary_head_dim>("rotary_head_dim", "1", count, optional,
                                         "transformer with latent attention: width of a key with position"),
      number_row<T, &T::value_head_dim>("value_head_dim", "1", size, optional,
                                        "transformer with latent attention: width of a value"),
      number_row<T, &T::gated_attention>(
          "gated_attention", "1", flag, optional,
          "transformer: 1 where a projection as wide as the queries gates the result of attention; default 0"),
      number_row<T, &T::index_heads>("index_heads", "1", count, optional,
                                     "transformer with sparse attention: heads of the indexer of each layer"),
      number_row<T, &T::index_head_dim>("index_head_dim", "1", size, optional,
                                        "transformer with sparse attention: width of a head of the indexer"),
      number_row<T, &T::index_positions>("index_positions", "1", size, optional,
                                         "transformer with sparse attention: positions that attention reads"),
      number_row<T, &T::linear_layers>("linear_layers", "1", count, optional,
                                       "transformer: layers of linear attention, which have no cache; default 0"),
      number_row<T, &T::linear_key_heads>("linear_key_heads", "1", size, optional,
                                          "transformer with linear attention: heads of queries and keys"),
      number_row<T, &T::linear_key_dim>("linear_key_dim", "1", size, optional,
                                        "transformer with linear attention: width of a query and key"),
      number_row<T, &T::linear_value_heads>("linear_value_heads", "1", size, optional,
                                            "transformer with linear attention: heads of values"),
      number_row<T, &T::linear_value_dim>("linear_value_dim", "1", size, optional,
                                          "transformer with linear attention: width of a value"),
      number_row<T, &T::experts>("experts", "1", count, optional, "transformer with experts: routed experts per layer"),
      number_row<T, &T::experts_per_token>("experts_per_token", "1", size, optional,
                                           "transformer with experts: routed experts per token"),
      number_row<T, &T::expert_ffn_hidden>("expert_ffn_hidden", "1", size, optional,
                                           "transformer with experts: width of a routed expert"),
      number_row<T, &T::shared_ffn_hidden>("shared_ffn_hidden", "1", count, optional,
                                           "transformer with experts: width of all shared experts together; default 0"),
      number_row<T, &T::dense_layers>("dense_layers", "1", count, optional,
                                      "transformer with experts: layers without experts; default 0"),
      number_row<T, &T::expert_biases>(
          "expert_biases", "1", flag, optional,
          "transformer with experts: 1 where experts add biases and clamp their gate; default 0"),
      other_row<T>("profile", FieldType::text, "1",
                   "transformer: folder of the measured tables; default: the name of the entry"),
  });
}();

/// Problems: wrong kind of entry, fields missing or out of range.
[[nodiscard]] Decoded<TransformerEntry> decode_transformer(const Entry& entry);

/// `value`, or `otherwise` where it is absent.
[[nodiscard]] inline double given_or(double value, double otherwise) {
  return is_given(value) ? value : otherwise;
}

/// Adds a problem for each missing field of latent, sparse or linear attention or of experts, where the model has them.
void require_parts(const TransformerEntry& entry, std::vector<EntryProblem>& problems);

}  // namespace dfsweep
