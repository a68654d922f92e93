/// Transformer entry: what an entry of "models" says of a transformer. The one decoder of such entries: it decodes what
/// is there, and each estimator applies its own defaults to what is not.
#pragma once

#include "models/absent.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/entry_table.hpp"

namespace dfsweep::transformer {

/// Fields of the entry by their names; absent (NaN) where the entry does not have them. transformer_fields says what
/// each means.
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
  double experts = absent;
  double experts_per_token = absent;
  double expert_ffn_hidden = absent;
  double shared_ffn_hidden = absent;
  double dense_layers = absent;

  [[nodiscard]] bool has_latent_attention() const { return is_given(query_rank); }
  [[nodiscard]] bool has_experts() const { return is_given(experts) && experts > 0.0; }
};

/// Largest size of a transformer.
inline constexpr double most_size = 1e9;

namespace detail {
inline constexpr FieldRange size = whole_number(1, most_size);
inline constexpr FieldRange count = whole_number(0, most_size);
inline constexpr FieldRange flag = whole_number(0, 1);
}  // namespace detail

inline constexpr auto transformer_fields = [] {
  using enum Presence;
  using namespace detail;
  using T = TransformerEntry;
  return std::to_array<FieldRow<T>>({
      number_row<T, &T::global_batch>("global_batch", "1", any_number, optional, "sequences or samples of a step"),
      number_row<T, &T::layers>("layers", "1", size, required, "transformer, graph: how often the layer is repeated"),
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
                                "transformer: tokens that windowed layers look back; default none"),
      number_row<T, &T::windowed_layers>("windowed_layers", "1", not_negative_number, optional,
                                         "transformer: share of the layers with a window; default 1"),
      number_row<T, &T::prediction_layers>("prediction_layers", "1", count, optional,
                                           "transformer: further layers that predict later tokens; default 0"),
      number_row<T, &T::query_rank>("query_rank", "1", size, optional,
                                    "transformer with latent attention: width of the query projection"),
      number_row<T, &T::key_value_rank>(
          "key_value_rank", "1", size, optional,
          "transformer with latent attention: width of the projection of keys and values"),
      number_row<T, &T::plain_head_dim>("plain_head_dim", "1", count, optional,
                                        "transformer with latent attention: width of a key without position"),
      number_row<T, &T::rotary_head_dim>("rotary_head_dim", "1", count, optional,
                                         "transformer with latent attention: width of a key with position"),
      number_row<T, &T::value_head_dim>("value_head_dim", "1", size, optional,
                                        "transformer with latent attention: width of a value"),
      number_row<T, &T::experts>("experts", "1", count, optional,
                                 "transformer with experts: routed experts of a layer"),
      number_row<T, &T::experts_per_token>("experts_per_token", "1", size, optional,
                                           "transformer with experts: routed experts that a token visits"),
      number_row<T, &T::expert_ffn_hidden>("expert_ffn_hidden", "1", size, optional,
                                           "transformer with experts: width of a routed expert"),
      number_row<T, &T::shared_ffn_hidden>("shared_ffn_hidden", "1", count, optional,
                                           "transformer with experts: width of all shared experts together; default 0"),
      number_row<T, &T::dense_layers>("dense_layers", "1", count, optional,
                                      "transformer with experts: layers without; default 0"),
      other_row<T>("profile", FieldType::text, "1", "transformer: folder of its measured tables; default its name"),
  });
}();

/// Problems: an entry of another kind, fields missing or out of range.
[[nodiscard]] Decoded<TransformerEntry> decode_transformer(const Entry& entry);

/// `value`, or `otherwise` where it is absent.
[[nodiscard]] inline double given_or(double value, double otherwise) {
  return is_given(value) ? value : otherwise;
}

/// Adds a problem for each of the fields that a model with latent attention or with experts needs and the entry lacks.
void require_parts(const TransformerEntry& entry, std::vector<EntryProblem>& problems);

}  // namespace dfsweep::transformer
