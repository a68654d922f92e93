/// Devices, memories and interconnects, decoded from catalogue entries.
#pragma once

#include <optional>

#include "models/absent.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/machine/memory_technology.hpp"
#include "models/machine/platform.hpp"
#include "models/units.hpp"

namespace dfsweep {

/// A chip.
struct Device {
  Throughput peak_flops;         ///< 2 * width * height * cores * frequency where the entry has all four
  double cores = 0.0;            ///< 0 where unknown: the cycle model is not available
  double systolic_width = 0.0;   ///< lanes of a core
  double systolic_height = 0.0;  ///< stages of a core
  Frequency frequency;
  Bytes sram_capacity;                 ///< 0 where unknown
  Throughput stated_peak_flops;        ///< of the entry's own field; 0 where it has none
  Bandwidth memory_bandwidth{absent};  ///< of the memory on its board; NaN where unknown
  Bytes memory_capacity{absent};       ///< likewise
  Dollars price;                       ///< NaN where unknown, as all prices and powers here
  Watts power;
  std::optional<Platform> platform;  ///< nothing: unknown
  bool operator==(const Device&) const = default;
  /// True if the fields of the cycle model are known.
  [[nodiscard]] bool has_cores() const { return cores > 0.0; }
};

/// Memory of one chip.
struct Memory {
  Bandwidth bandwidth;
  Bytes capacity;
  PricePerBandwidth price_per_bandwidth;
  PowerPerBandwidth power_per_bandwidth;
  MemoryTechnology technology = MemoryTechnology::hbm3;
};

/// What replaces figures of a memory; NaN: nothing does.
struct MemoryFigures {
  double bandwidth = absent;  ///< B/s
  double capacity = absent;   ///< B
};
/// `given` with its figures replaced; without it a memory of unlimited capacity, whose price and power are unknown.
[[nodiscard]] Memory memory_with(const std::optional<Memory>& given, const MemoryFigures& figures);

/// Links between chips.
struct Interconnect {
  Bandwidth bandwidth;  ///< bandwidth of a link in one direction
  Seconds latency;      ///< latency of a link
  PricePerBandwidth link_price_per_bandwidth;
  PricePerBandwidth switch_price_per_bandwidth;
  PowerPerBandwidth link_power_per_bandwidth;
  PowerPerBandwidth switch_power_per_bandwidth;
};

/// What the entry has; a peak rate may be missing.
[[nodiscard]] Decoded<Device> read_device(const Entry& entry);
/// The same; a device without a peak rate is a problem.
[[nodiscard]] Decoded<Device> decode_device(const Entry& entry);
[[nodiscard]] Decoded<Memory> decode_memory(const Entry& entry);
[[nodiscard]] Decoded<Interconnect> decode_interconnect(const Entry& entry);

}  // namespace dfsweep
