/// Rates: compute and memory rates of a device, and link rates.
#pragma once

#include "models/units.hpp"

namespace dfsweep::taskgraph {

struct MeasuredPoint;

struct DeviceRates {
  SecondsPerFlop per_flop;            ///< 1 / (peak rate * utilization)
  SecondsPerByte per_byte;            ///< 1 / bandwidth of the memory of the operands; 0: without limit
  Bytes word{2.0};                    ///< bytes per number
  MeasuredPoint* measured = nullptr;  ///< null: use rooflines
};

/// The same device without measured tables.
[[nodiscard]] constexpr DeviceRates without_tables(DeviceRates device) {
  device.measured = nullptr;
  return device;
}

/// Link rates of one device, in one direction.
struct LinkRates {
  SecondsPerByte per_byte;
  Seconds latency;
};

}  // namespace dfsweep::taskgraph
