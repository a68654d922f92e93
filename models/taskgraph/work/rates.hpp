/// Rates: how fast a device computes and moves data, and how fast the links between devices are.
#pragma once

#include "models/units.hpp"

namespace dfsweep::taskgraph {

struct MeasuredPoint;

struct DeviceRates {
  SecondsPerFlop per_flop;            ///< 1 / (peak rate * share of it that products reach)
  SecondsPerByte per_byte;            ///< 1 / bandwidth of the memory that operands come from; 0: without limit
  Bytes word{2.0};                    ///< of a number
  MeasuredPoint* measured = nullptr;  ///< null: rooflines
};

/// The same device by rooflines.
[[nodiscard]] constexpr DeviceRates without_tables(DeviceRates device) {
  device.measured = nullptr;
  return device;
}

/// Of one device, in one direction.
struct LinkRates {
  SecondsPerByte per_byte;
  Seconds latency;
};

}  // namespace dfsweep::taskgraph
