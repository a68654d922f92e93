/// Work of the operators of a transformer layer: what a roofline needs where there is no measurement.
#pragma once

#include "models/measured_tables/operators.hpp"
#include "models/transformer/served_model.hpp"
#include "models/units.hpp"

namespace dfsweep::inference {

/// Of one device, in one layer.
struct OperatorWork {
  Flop flop;
  Bytes bytes;  ///< read and written, weights included
};

/// A layer split over devices.
struct LayerSplit {
  ServedModel model;
  double tensor_parallel = 1.0;
};

/// Rates of a device: its peak, and the bandwidth of its memory.
struct DeviceRates {
  Throughput peak;
  Bandwidth bandwidth;
  [[nodiscard]] bool known() const { return peak > Throughput{} && bandwidth > Bandwidth{}; }
};

/// Of an operator over tokens (OperatorKind::token and cache_save). Numbers of 2 bytes.
[[nodiscard]] OperatorWork token_work(Operator op, const LayerSplit& layer, double tokens);
/// Attention of `requests` that decode behind `context` tokens each: the cache is read once.
[[nodiscard]] OperatorWork decode_work(const LayerSplit& layer, double requests, double context);
/// Attention of a chunk of c tokens behind k: 4 d q/t c (k + (c+1)/2) FLOP.
[[nodiscard]] OperatorWork prefill_work(const LayerSplit& layer, double context, double chunk);
/// max(flop / peak, bytes / bandwidth). Pre: the rates are known.
[[nodiscard]] Seconds roofline_time(const OperatorWork& work, const DeviceRates& rates);

}  // namespace dfsweep::inference
