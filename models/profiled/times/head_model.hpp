/// HeadModel: times of embedding, output layer and sampling.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "models/measured_tables/profile_tables.hpp"
#include "models/profiled/times/layer_model.hpp"

namespace dfsweep::profiled {

/// Uses the columns `emb` and `lm_head` of the table of the layer where they exist, otherwise operators of the layer,
/// which may be replacements themselves:
///
///     output(m)   = mlp_up_proj(m) V / (g f)       product (m, h, V/t) at the rate of (m, h, g f/t)
///     embedding(T) = mlp_act(ceil(2 h T / ((g + 1) f/t)))     same traffic: h numbers read and written per token
///     sampling(m)  = mlp_act(ceil(V m / ((g + 1) f/t)))       same traffic: every device reads all logits
///
/// T: tokens of the batch, m: requests, V: vocabulary, h: hidden, f: ffn_hidden, g: up-projections, t: tensor_parallel.
/// With equal m and h, V / (g f) is the ratio of rooflines where FLOP dominate or m is small compared to g f/t.
/// Derivation and comparison with measurements: docs/models/profiled.md.
class HeadModel {
 public:
  /// `own`: the table of the layer, or null. Pre: the tables outlive the model.
  HeadModel(const ProfileTables& tables, const LayerModel& layer, const LayerProfile* own, const TableReading& reading)
      : tables_(tables), layer_(layer), own_(own), reading_(reading) {}

  /// Builds missing curves; required by everything below, as is the preparation of the layer. Thread-safe.
  void prepare() const;
  /// Empty where both the column and the operator of the layer are missing.
  [[nodiscard]] std::optional<Prediction> embedding(double tokens) const;
  /// Times for one token per request; 0 for a model without a vocabulary.
  [[nodiscard]] std::optional<Prediction> output(double requests) const;
  [[nodiscard]] std::optional<Prediction> sampling(double requests) const;

  /// Table rows used by the predictions above. Slow, for explanations.
  [[nodiscard]] std::vector<RowOrigin> embedding_rows(double tokens) const;
  [[nodiscard]] std::vector<RowOrigin> output_rows(double requests) const;
  [[nodiscard]] std::vector<RowOrigin> sampling_rows(double requests) const;

 private:
  [[nodiscard]] std::optional<Prediction> measured(std::size_t i, double tokens) const;
  [[nodiscard]] std::vector<RowOrigin> measured_rows(std::size_t i, double tokens) const;
  [[nodiscard]] double streamed_tokens(double numbers) const;
  [[nodiscard]] std::optional<Prediction> streamed(double numbers) const;
  [[nodiscard]] std::vector<RowOrigin> layer_rows(Operator op, double tokens) const;

  const ProfileTables& tables_;
  LayerModel layer_;
  const LayerProfile* own_ = nullptr;
  TableReading reading_;
  SharedWork work_{head_operators.size()};
  mutable std::array<std::shared_ptr<const Curve>, head_operators.size()> curves_;  ///< [index into head_operators]
};

}  // namespace dfsweep::profiled
