/// Devices, memories and interconnects as the models see them: values decoded from catalogue entries.
#pragma once

#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/units.hpp"

namespace dfsweep::hardware {

/// A chip. Fields of the entry: cores, systolic_width, systolic_height, frequency, peak_flops, sram_capacity, price,
/// power.
struct Device {
  Throughput peak_flops;         ///< 2 * width * height * cores * frequency where the entry has all four
  double cores = 0.0;            ///< 0 where unknown: no cycle model then
  double systolic_width = 0.0;   ///< lanes of a core
  double systolic_height = 0.0;  ///< stages of a core
  Frequency frequency;
  Bytes sram_capacity;
  Dollars price;  ///< NaN where unknown, as all prices and powers here
  Watts power;
  bool operator==(const Device&) const = default;
  /// True if the fields of the cycle model are known.
  [[nodiscard]] bool has_cores() const { return cores > 0.0; }
};

/// Fields of the entry: bandwidth, capacity, price_per_bandwidth, power_per_bandwidth.
struct Memory {
  Bandwidth bandwidth;
  Bytes capacity;
  PricePerBandwidth price_per_bandwidth;
  PowerPerBandwidth power_per_bandwidth;
};

/// Fields of the entry: bandwidth, latency, {link,switch}_price_per_bandwidth, {link,switch}_power_per_bandwidth.
struct Interconnect {
  Bandwidth bandwidth;  ///< of a link in one direction
  Seconds latency;      ///< of a link
  PricePerBandwidth link_price_per_bandwidth;
  PricePerBandwidth switch_price_per_bandwidth;
  PowerPerBandwidth link_power_per_bandwidth;
  PowerPerBandwidth switch_power_per_bandwidth;
};

[[nodiscard]] Decoded<Device> decode_device(const Entry& entry);
[[nodiscard]] Decoded<Memory> decode_memory(const Entry& entry);
[[nodiscard]] Decoded<Interconnect> decode_interconnect(const Entry& entry);

}  // namespace dfsweep::hardware
