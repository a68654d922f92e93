/// HeadModel: time of what stands before the first layer and behind the last one: embedding, output layer, sampling.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "models/profiled/times/layer_model.hpp"

namespace dfsweep::inference {

/// From the columns `emb` and `lm_head` of the layer's own table, where it has them. Else from the operators of the
/// layer, which may themselves stand in for another one:
///
///     output(m)   = mlp_up_proj(m) V / (g f)       the product (m, h, V/t) as slow as (m, h, g f/t) is
///     embedding(T) = mlp_act(ceil(2 h T / ((g + 1) f/t)))     as many numbers moved: h read and written a token
///     sampling(m)  = mlp_act(ceil(V m / ((g + 1) f/t)))       as many numbers read: every device reads all logits
///
/// T: tokens of the batch, m: requests, V: vocabulary, h: hidden, f: ffn_hidden, g: products up, t: tensor_parallel.
/// With equal m and h, V / (g f) is the ratio of rooflines wherever FLOP bind or m is small against g f/t. Derived, and
/// held against measurements, in docs/models/profiled.md.
class HeadModel {
 public:
  /// `own`: the layer's own table, or null. Pre: `own` and the predictors of `layer` outlive the model.
  HeadModel(const LayerModel& layer, const LayerProfile* own, const TableReading& reading)
      : layer_(layer), own_(own), reading_(reading) {}

  /// Makes the curves that are not there yet; what follows needs it, and the layer prepared. Thread-safe.
  void prepare() const;
  /// Nothing where neither a column nor the layer's operator is there.
  [[nodiscard]] std::optional<Prediction> embedding(double tokens) const;
  /// Of one token of each request. A model without a vocabulary takes no time.
  [[nodiscard]] std::optional<Prediction> output(double requests) const;
  [[nodiscard]] std::optional<Prediction> sampling(double requests) const;

  /// Rows of the tables that the above rest on. Slow; for explanations.
  [[nodiscard]] std::vector<RowOrigin> embedding_rows(double tokens) const;
  [[nodiscard]] std::vector<RowOrigin> output_rows(double requests) const;
  [[nodiscard]] std::vector<RowOrigin> sampling_rows(double requests) const;

 private:
  [[nodiscard]] std::optional<Prediction> measured(std::size_t i, double tokens) const;
  [[nodiscard]] std::vector<RowOrigin> measured_rows(std::size_t i, double tokens) const;
  [[nodiscard]] double streamed_tokens(double numbers) const;
  [[nodiscard]] std::optional<Prediction> streamed(double numbers) const;
  [[nodiscard]] std::vector<RowOrigin> layer_rows(Operator op, double tokens) const;

  LayerModel layer_;
  const LayerProfile* own_ = nullptr;
  TableReading reading_;
  SharedWork work_{head_operators.size()};
  mutable std::array<std::optional<Curve>, head_operators.size()> curves_;  ///< [of head_operators]
};

}  // namespace dfsweep::inference
