/// Work of the operators of a transformer layer, for rooflines where no measurement exists.
#pragma once

#include "models/measured_tables/operators.hpp"
#include "models/transformer/served_model.hpp"
#include "models/units.hpp"

namespace dfsweep {

/// Work of an operator on one device, per layer.
struct OperatorWork {
  Flop flop;
  Bytes bytes;  ///< bytes read and written, including weights
  friend constexpr OperatorWork operator+(const OperatorWork& a, const OperatorWork& b) {
    return {a.flop + b.flop, a.bytes + b.bytes};
  }
  friend constexpr OperatorWork operator*(double times, const OperatorWork& work) {
    return {times * work.flop, times * work.bytes};
  }
};

/// A layer divided among devices by tensor parallelism.
struct LayerSplit {
  ServedModel model;
  double tensor_parallel = 1.0;
};

/// Peak rate and memory bandwidth of a device.
struct DeviceRates {
  Throughput peak;
  Bandwidth bandwidth;
  [[nodiscard]] bool known() const { return peak > Throughput{} && bandwidth > Bandwidth{}; }
};

/// Work of an operator over tokens (OperatorKind::token and cache_save), with 2 bytes per number.
[[nodiscard]] OperatorWork token_work(Operator op, const LayerSplit& layer, double tokens);
/// Attention of `requests` decoding requests with `context` cached tokens each: the cache is read once.
[[nodiscard]] OperatorWork decode_work(const LayerSplit& layer, double requests, double context);
/// Attention of a chunk of c tokens after k tokens: 4 d q/t c (k + (c+1)/2) FLOP.
[[nodiscard]] OperatorWork prefill_work(const LayerSplit& layer, double context, double chunk);
/// Roofline max(flop / peak, bytes / bandwidth). Pre: the rates are known.
[[nodiscard]] Seconds roofline_time(const OperatorWork& work, const DeviceRates& rates);

}  // namespace dfsweep
