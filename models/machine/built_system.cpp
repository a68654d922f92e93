#include "models/machine/built_system.hpp"

namespace dfsweep::training {

PhysicalSystem built_system(const hardware::Device& device, const hardware::Memory& memory,
                            const hardware::Interconnect& inside, const hardware::Interconnect& across) {
  PhysicalSystem built;
  built.accelerator.peak_16bit = device.peak_flops;
  built.accelerator.memory_bandwidth = memory.bandwidth;
  built.accelerator.memory_capacity = memory.capacity;
  built.network.enclosures.node = devices_of_built_node;
  built.network.inside = {inside.bandwidth, inside.latency};
  built.network.across = {across.bandwidth, across.latency};
  built.price = device.price + memory.bandwidth * memory.price_per_bandwidth;
  built.power = device.power + memory.bandwidth * memory.power_per_bandwidth;
  return built;
}

}  // namespace dfsweep::training
