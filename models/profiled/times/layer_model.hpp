/// LayerModel: times of the operators of one layer on one device, from its own tables or from replacements.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/measured_tables/batch.hpp"
#include "models/measured_tables/layer_predictors.hpp"
#include "models/measured_tables/operator_work.hpp"
#include "models/prepared/lazy_table.hpp"
#include "models/profiled/times/convention.hpp"

namespace dfsweep::profiled {

/// The layer whose table replaces a missing one.
struct StandIn {
  LayerSplit layer;
  DeviceRates rates;
};

/// Source of the times of one operator.
struct OperatorSource {
  const LayerPredictors* predictors = nullptr;  ///< null: no source
  std::optional<StandIn> stand_in;              ///< set where the predictors are of another layer
};

/// Conversion of a batch into features of the operators.
struct BatchReading {
  const ProfileConvention* convention = nullptr;
  double token_granularity = 1.0;
  double context_granularity = 1.0;
  double decode_overhead = 0.0;   ///< share added to decode attention of more than one request
  double prefill_overhead = 0.0;  ///< share added to prefill attention of more than one prompt
};

class LayerModel {
 public:
  /// `sources`: in the order of layer_operators.
  LayerModel(const LayerSplit& layer, const DeviceRates& rates, const BatchReading& reading,
             const std::array<OperatorSource, layer_operator_count>& sources)
      : layer_(layer), rates_(rates), reading_(reading), sources_(sources) {}

  [[nodiscard]] const LayerSplit& layer() const { return layer_; }
  /// Rates of the device.
  [[nodiscard]] const DeviceRates& rates() const { return rates_; }
  [[nodiscard]] const BatchReading& reading() const { return reading_; }
  /// Source of layer_operators[i].
  [[nodiscard]] const OperatorSource& source(std::size_t i) const { return sources_[i]; }

  /// Builds missing predictors; required by everything below. Thread-safe.
  void prepare() const;
  /// Time of token operator layer_operators[i] for a batch of `tokens`; empty without a table. Tokens are rounded up to
  /// the granularity, except for attn_kv_cache_save, as in [vidur] Section 5.
  ///
  /// Times of a replacement are scaled: t = t' R / R', with R and R' the rooflines of both layers.
  [[nodiscard]] std::optional<Prediction> token(std::size_t i, double tokens) const;
  /// Pre: at least one group.
  [[nodiscard]] std::optional<Prediction> decode(std::span<const RequestGroup> groups) const;
  [[nodiscard]] std::optional<Prediction> prefill(std::span<const RequestGroup> groups) const;

  /// Table rows used by the prediction of layer_operators[i] for a batch. Slow, for explanations.
  [[nodiscard]] std::vector<RowOrigin> rows(std::size_t i, const RequestBatch& batch) const;

 private:
  LayerSplit layer_;
  DeviceRates rates_;
  BatchReading reading_;
  std::array<OperatorSource, layer_operator_count> sources_;
};

/// The layer with rows for `op` that is most similar to the wanted one: the minimum of
///
///     |ln(t/t')| + |ln(h/h')| + |ln(f/f')| + [another device]                         operators of mlp.csv
///     |ln((q/t)/(q'/t'))| + |ln((kv/t)/(kv'/t'))| + [another device]                  operators of attention.csv
///
/// t: tensor_parallel, h: hidden, f: ffn_hidden, q and kv: heads; unknown numbers count as equal. `rates_of(device)`:
/// rates of a device; layers on devices with unknown rates are ignored. Ties: the first.
template <class RatesOf>
[[nodiscard]] const LayerProfile* nearest_layer(std::span<const LayerProfile> layers, std::string_view device,
                                                const LayerSplit& wanted, const TableReading& reading, Operator op,
                                                const RatesOf& rates_of);

/// The distance of nearest_layer, without the device term.
[[nodiscard]] double distance_of(const LayerProfile& profile, const LayerSplit& wanted, Operator op);

/// The layer of the measurements of a profile.
[[nodiscard]] LayerSplit split_of(const LayerProfile& profile, const ServedModel& otherwise);

template <class RatesOf>
const LayerProfile* nearest_layer(std::span<const LayerProfile> layers, std::string_view device,
                                  const LayerSplit& wanted, const TableReading& reading, Operator op,
                                  const RatesOf& rates_of) {
  constexpr double another_device = 1.0;
  const LayerProfile* nearest = nullptr;
  double least = 0.0;
  for (const LayerProfile& profile : layers) {
    if (!covers(profile, reading, op) || !rates_of(profile.device).known()) continue;
    const double distance = distance_of(profile, wanted, op) + (profile.device == device ? 0.0 : another_device);
    if (nearest != nullptr && !(distance < least)) continue;
    nearest = &profile;
    least = distance;
  }
  return nearest;
}

}  // namespace dfsweep::profiled
