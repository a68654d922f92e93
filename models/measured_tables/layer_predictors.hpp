/// LayerPredictors: predictors of the operators of one layer on one device, from its measured tables.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "models/measured_tables/predictors/curve.hpp"
#include "models/measured_tables/predictors/surface.hpp"
#include "models/measured_tables/profiles.hpp"
#include "models/prepared/shared_work.hpp"

namespace dfsweep {

/// Operators of a layer without collectives; the first `token_operator_count` depend only on tokens.
inline constexpr std::array layer_operators = [] {
  std::array<Operator, token_operators.size() + 3> all{};
  const auto rest = std::copy(token_operators.begin(), token_operators.end(), all.begin());
  constexpr std::array attention{Operator::attn_kv_cache_save, Operator::attn_prefill, Operator::attn_decode};
  std::copy(attention.begin(), attention.end(), rest);
  return all;
}();
inline constexpr std::size_t layer_operator_count = layer_operators.size();
inline constexpr std::size_t token_operator_count = layer_operator_count - 2;

/// Index of the operator in layer_operators. Pre: it is one of them.
[[nodiscard]] constexpr std::size_t layer_index(Operator op) {
  return static_cast<std::size_t>(std::find(layer_operators.begin(), layer_operators.end(), op) -
                                  layer_operators.begin());
}

/// Whether a layer may lack the operator: a table without it means that it takes no time.
[[nodiscard]] constexpr bool may_be_absent(Operator op) {
  return op == Operator::input_layernorm || op == Operator::post_attention_layernorm || op == Operator::add ||
         op == Operator::attn_kv_cache_save;
}

/// Parameters for reading a table.
struct TableReading {
  Statistic statistic = Statistic::median;
  PredictionMethod method = PredictionMethod::fitted;
  EmptyCell empty_cell = EmptyCell::unmeasured;
  double page_tokens = 16.0;  ///< page size of the attention rows to use
  bool operator==(const TableReading&) const = default;
};

/// Whether the profile has rows for the operator, or the operator may be absent.
[[nodiscard]] bool covers(const LayerProfile& profile, const TableReading& reading, Operator op);

/// Predictors are built on first use, one task per operator, by all threads that need them.
class LayerPredictors {
 public:
  /// Pre: `profile` outlives the object.
  LayerPredictors(const LayerProfile& profile, const TableReading& reading) : profile_(profile), reading_(reading) {}

  [[nodiscard]] const LayerProfile& profile() const { return profile_; }
  [[nodiscard]] const TableReading& reading() const { return reading_; }
  /// Builds all predictors. Pre of everything below.
  void prepare() const;
  /// Prediction of a token operator: empty where nothing was measured, 0 s where a missing operator takes no time.
  [[nodiscard]] std::optional<Prediction> token(Operator op, double tokens) const;
  /// Surfaces of attention; null where nothing was measured.
  [[nodiscard]] const DecodeSurface* decode() const { return decode_ ? &*decode_ : nullptr; }
  [[nodiscard]] const PrefillSurface* prefill() const { return prefill_ ? &*prefill_ : nullptr; }
  /// Tokens of the shortest measured chunk. Shorter chunks cost the same, because kernels process whole tiles.
  [[nodiscard]] std::uint32_t shortest_chunk() const { return shortest_chunk_; }

 private:
  void make(Operator op) const;

  const LayerProfile& profile_;
  TableReading reading_;
  SharedWork work_{layer_operator_count};
  mutable std::array<std::optional<Curve>, operator_count> curves_;
  mutable std::optional<DecodeSurface> decode_;
  mutable std::optional<PrefillSurface> prefill_;
  mutable std::uint32_t shortest_chunk_ = 0;
};

/// Converts tokens for a predictor; saturates at the maximum of all predictors.
[[nodiscard]] std::uint32_t whole_tokens(double tokens);

}  // namespace dfsweep
