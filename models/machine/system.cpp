#include "models/machine/system.hpp"

#include <string_view>

namespace dfsweep {

namespace {

constexpr std::string_view link_kinds[] = {"switched", "direct"};  // in the order of NodeLinks

/// Both formats of each width that has a rate.
NumberFormats formats_with_rate(const Accelerator& a) {
  NumberFormats formats{NumberFormat::fp16, NumberFormat::bf16};
  if (a.peak_8bit > Throughput{}) formats.add(NumberFormat::fp8), formats.add(NumberFormat::int8);
  if (a.peak_4bit > Throughput{}) formats.add(NumberFormat::fp4), formats.add(NumberFormat::int4);
  return formats;
}

}  // namespace

Decoded<System> decode_system(const Entry& entry) {
  Decoded<System> decoded;
  FieldReader reader(entry, decoded.problems);
  decode_numbers<System>(reader, system_fields, decoded.value);
  Accelerator& a = decoded.value.accelerator;
  a.formats =
      names_or<NumberFormat>(entry, "number_formats", number_format_names, formats_with_rate(a), decoded.problems);
  a.platform = platform_of(reader.choice_or("platform", platform_names, platform_names.size()));
  decoded.value.memory = static_cast<MemoryTechnology>(
      reader.choice_or("memory_technology", memory_technology_names, static_cast<std::size_t>(MemoryTechnology::hbm3)));
  decoded.value.network.node_links = static_cast<NodeLinks>(reader.choice_or("node_links", link_kinds, 0));
  return decoded;
}

std::string name_in_operators(const Entry& entry) {
  return entry.text_or("operators", entry.name);
}

System built_system(const Device& device, const Memory& memory, const Interconnect& inside,
                    const Interconnect& across) {
  System built;
  built.accelerator.peak_16bit = device.peak_flops;
  built.accelerator.formats = formats_with_rate(built.accelerator);
  built.accelerator.platform = device.platform;
  built.accelerator.memory_bandwidth = memory.bandwidth;
  built.accelerator.memory_capacity = memory.capacity;
  built.network.enclosures.node = devices_of_built_node;
  built.network.inside = {inside.bandwidth, inside.latency};
  built.network.across = {across.bandwidth, across.latency};
  built.memory = memory.technology;
  built.price = device.price + memory.bandwidth * memory.price_per_bandwidth;
  built.power = device.power + memory.bandwidth * memory.power_per_bandwidth;
  return built;
}

}  // namespace dfsweep
