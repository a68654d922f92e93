/// Built systems: a device, a memory and links as one system, where no entry of "systems" describes them together.
#pragma once

#include "models/machine/hardware.hpp"
#include "models/machine/physical_entries.hpp"

namespace dfsweep::training {

/// Devices of a built node, where the sweep does not say: as many as one board of accelerators usually joins.
inline constexpr double devices_of_built_node = 8.0;

/// `inside`: links of a node, all joined by a switch; `across`: of a device to other nodes. Bandwidths are those of one
/// direction. Price and power are those of device and memory; links have none here, as their number is not known.
[[nodiscard]] PhysicalSystem built_system(const hardware::Device& device, const hardware::Memory& memory,
                                          const hardware::Interconnect& inside, const hardware::Interconnect& across);

}  // namespace dfsweep::training
