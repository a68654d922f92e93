/// Decoding of devices, memories and interconnects.
#include "models/machine/hardware.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "models/absent.hpp"
#include "models/declared_fields.hpp"

namespace dfsweep {

namespace {

constexpr double most_cells = 1e9;  ///< upper limit of cells per core and of cores per chip

/// The systolic arrays of a chip; each given field is checked, even where others are missing.
struct Systolic {
  explicit Systolic(FieldsOf<DeviceField>& fields)
      : cores(fields.whole_or("cores", absent, 1.0, most_cells)),
        width(fields.whole_or("systolic_width", absent, 1.0, most_cells)),
        height(fields.whole_or("systolic_height", absent, 1.0, most_cells)),
        frequency(fields.positive_or("frequency", absent)) {}
  double cores;
  double width;
  double height;
  Frequency frequency;
  [[nodiscard]] bool is_complete() const {
    return is_given(cores) && is_given(width) && is_given(height) && is_given(frequency);
  }
};

}  // namespace

Decoded<Device> read_device(const Entry& entry) {
  Decoded<Device> decoded;
  FieldsOf<DeviceField> fields(entry, decoded.problems);
  Device& device = decoded.value;
  device.stated_peak_flops = Throughput{fields.positive_or("peak_flops", 0.0)};
  device.peak_flops = device.stated_peak_flops;
  if (const Systolic arrays(fields); arrays.is_complete()) {
    device.cores = arrays.cores;
    device.systolic_width = arrays.width;
    device.systolic_height = arrays.height;
    device.frequency = arrays.frequency;
    device.peak_flops =
        Throughput{2.0 * device.systolic_width * device.systolic_height * device.cores * device.frequency.value()};
  }
  device.sram_capacity = Bytes{fields.not_negative_or("sram_capacity", 0.0)};
  device.memory_bandwidth = Bandwidth{fields.positive_or("memory_bandwidth", absent)};
  device.memory_capacity = Bytes{fields.positive_or("memory_capacity", absent)};
  // An unknown price or power makes every sum that contains it absent, rather than too small.
  device.price = Dollars{fields.not_negative_or("price", absent)};
  device.power = Watts{fields.not_negative_or("power", absent)};
  device.platform = platform_of(fields.choice_or("platform", platform_names, platform_names.size()));
  return decoded;
}

Decoded<Device> decode_device(const Entry& entry) {
  Decoded<Device> decoded = read_device(entry);
  if (!entry.has_number(DeviceField("peak_flops")) && !decoded.value.has_cores())
    decoded.problems.push_back({"'peak_flops' is missing",
                                "a device needs it, or all of cores, systolic_width, systolic_height, frequency",
                                {"peak_flops", "cores", "systolic_width", "systolic_height", "frequency"}});
  return decoded;
}

Decoded<Memory> decode_memory(const Entry& entry) {
  Decoded<Memory> decoded;
  FieldsOf<MemoryField> fields(entry, decoded.problems);
  Memory& memory = decoded.value;
  memory.bandwidth = Bandwidth{fields.positive("bandwidth")};
  memory.capacity = Bytes{fields.positive("capacity")};
  memory.price_per_bandwidth = PricePerBandwidth{fields.not_negative_or("price_per_bandwidth", absent)};
  memory.power_per_bandwidth = PowerPerBandwidth{fields.not_negative_or("power_per_bandwidth", absent)};
  memory.technology = static_cast<MemoryTechnology>(
      fields.choice_or("technology", memory_technology_names, static_cast<std::size_t>(MemoryTechnology::hbm3)));
  return decoded;
}

Memory memory_with(const std::optional<Memory>& given, const MemoryFigures& figures) {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  Memory memory =
      given.value_or(Memory{Bandwidth{}, Bytes{unlimited}, PricePerBandwidth{absent}, PowerPerBandwidth{absent}, {}});
  if (is_given(figures.bandwidth)) memory.bandwidth = Bandwidth{figures.bandwidth};
  if (is_given(figures.capacity)) memory.capacity = Bytes{figures.capacity};
  return memory;
}

Decoded<Interconnect> decode_interconnect(const Entry& entry) {
  Decoded<Interconnect> decoded;
  FieldsOf<InterconnectField> fields(entry, decoded.problems);
  Interconnect& interconnect = decoded.value;
  interconnect.bandwidth = Bandwidth{fields.positive("bandwidth")};
  interconnect.latency = Seconds{fields.not_negative_or("latency", 0.0)};
  interconnect.link_price_per_bandwidth = PricePerBandwidth{fields.not_negative_or("link_price_per_bandwidth", absent)};
  interconnect.switch_price_per_bandwidth =
      PricePerBandwidth{fields.not_negative_or("switch_price_per_bandwidth", absent)};
  interconnect.link_power_per_bandwidth = PowerPerBandwidth{fields.not_negative_or("link_power_per_bandwidth", absent)};
  interconnect.switch_power_per_bandwidth =
      PowerPerBandwidth{fields.not_negative_or("switch_power_per_bandwidth", absent)};
  return decoded;
}

}  // namespace dfsweep
