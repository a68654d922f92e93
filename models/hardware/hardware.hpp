/// Devices, memories and interconnects as the models see them: values decoded from catalogue entries.
#pragma once

#include <string>
#include <vector>

#include "models/entry.hpp"

namespace dfsweep {

/// A chip. Fields of the entry: cores, systolic_width, systolic_height, frequency, peak_flops, sram_capacity, price,
/// power.
struct Device {
  double peak_flops = 0.0;       ///< FLOP/s; 2 * width * height * cores * frequency where the entry has all four
  double cores = 0.0;            ///< 0 where unknown: no cycle model then
  double systolic_width = 0.0;   ///< lanes of a core
  double systolic_height = 0.0;  ///< stages of a core
  double frequency = 0.0;        ///< Hz
  double sram_capacity = 0.0;    ///< B
  double price = 0.0;            ///< USD; NaN where unknown, as all prices and powers here
  double power = 0.0;            ///< W
  bool operator==(const Device&) const = default;
  /// True if the fields of the cycle model are known.
  [[nodiscard]] bool has_cores() const { return cores > 0.0; }
};

/// Fields of the entry: bandwidth, capacity, price_per_bandwidth, power_per_bandwidth.
struct Memory {
  double bandwidth = 0.0;            ///< B/s
  double capacity = 0.0;             ///< B
  double price_per_bandwidth = 0.0;  ///< USD/(B/s)
  double power_per_bandwidth = 0.0;  ///< W/(B/s)
};

/// Fields of the entry: bandwidth, latency, {link,switch}_price_per_bandwidth, {link,switch}_power_per_bandwidth.
struct Interconnect {
  double bandwidth = 0.0;                   ///< B/s of a link in one direction
  double latency = 0.0;                     ///< s of a link
  double link_price_per_bandwidth = 0.0;    ///< USD/(B/s)
  double switch_price_per_bandwidth = 0.0;  ///< USD/(B/s)
  double link_power_per_bandwidth = 0.0;    ///< W/(B/s)
  double switch_power_per_bandwidth = 0.0;  ///< W/(B/s)
};

/// A value and what is wrong with the entry it was decoded from (fields missing or out of range; empty: nothing).
template <class Value>
struct Decoded {
  Value value;
  std::vector<std::string> problems;
};

[[nodiscard]] Decoded<Device> decode_device(const Entry& entry);
[[nodiscard]] Decoded<Memory> decode_memory(const Entry& entry);
[[nodiscard]] Decoded<Interconnect> decode_interconnect(const Entry& entry);

}  // namespace dfsweep
