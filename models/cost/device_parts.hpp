/// DeviceParts: what the price and the power of a device are made of.
#pragma once

#include <algorithm>

#include "models/machine/accelerator.hpp"
#include "models/machine/memory_technology.hpp"
#include "models/machine/system.hpp"
#include "models/units.hpp"

namespace dfsweep::cost {

struct DeviceParts {
  Throughput peak;  ///< equivalent rate of 16-bit products, as equivalent_peak()
  Bytes sram;       ///< on the chip; 0 where it is not known
  Bandwidth memory_bandwidth;
  Bytes memory_capacity;
  MemoryTechnology memory = MemoryTechnology::hbm3;
  Bandwidth links;    ///< all links of a device inside its node, in one direction
  Bandwidth network;  ///< of a device to other nodes, in one direction
};

/// The rate of 16-bit products of a chip with as many multipliers: halving the width of a format doubles its usual
/// rate, so the largest of 16-bit rate, 8-bit rate / 2 and 4-bit rate / 4.
[[nodiscard]] constexpr Throughput equivalent_peak(const Accelerator& a) {
  return std::max({a.peak_16bit, 0.5 * a.peak_8bit, 0.25 * a.peak_4bit});
}

/// The parts of a device of a system, whose SRAM is not known.
[[nodiscard]] constexpr DeviceParts parts_of(const System& system) {
  const Accelerator& a = system.accelerator;
  return {equivalent_peak(a),
          Bytes{},
          a.memory_bandwidth,
          a.memory_capacity,
          system.memory,
          system.network.inside.bandwidth,
          system.network.across.bandwidth};
}

}  // namespace dfsweep::cost
