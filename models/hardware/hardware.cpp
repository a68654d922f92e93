/// Decoding of devices, memories and interconnects.
#include "models/hardware/hardware.hpp"

#include <cmath>
#include <limits>
#include <string_view>

namespace dfsweep {

namespace {

/// Reads the fields of one entry and collects what is wrong with them.
class Fields {
 public:
  explicit Fields(const Entry& entry) : entry_(entry) {}

  double positive(std::string_view field) {
    const double value = entry_.number_or(field, 0.0);
    if (!(value > 0.0) || std::isinf(value)) problems_.push_back("needs a positive '" + std::string(field) + "'");
    return value;
  }
  /// 0 where the entry has no such field.
  double not_negative(std::string_view field) {
    const double value = entry_.number_or(field, 0.0);
    if (!(value >= 0.0) || std::isinf(value)) problems_.push_back("has a negative '" + std::string(field) + "'");
    return value;
  }
  /// A price or power; NaN where the entry has no such field, so that what is built on it is unknown and not too small.
  double not_negative_if_known(std::string_view field) {
    return entry_.has_number(field) ? not_negative(field) : std::numeric_limits<double>::quiet_NaN();
  }
  std::vector<std::string> problems() { return std::move(problems_); }

 private:
  const Entry& entry_;
  std::vector<std::string> problems_;
};

}  // namespace

Decoded<Device> decode_device(const Entry& entry) {
  Fields fields(entry);
  Device device;
  if (entry.has_number("cores") && entry.has_number("systolic_width") && entry.has_number("systolic_height") &&
      entry.has_number("frequency")) {
    device.cores = fields.positive("cores");
    device.systolic_width = fields.positive("systolic_width");
    device.systolic_height = fields.positive("systolic_height");
    device.frequency = Frequency{fields.positive("frequency")};
    device.peak_flops =
        Throughput{2.0 * device.systolic_width * device.systolic_height * device.cores * device.frequency.value()};
  } else {
    device.peak_flops = Throughput{fields.positive("peak_flops")};
  }
  device.sram_capacity = Bytes{fields.not_negative("sram_capacity")};
  device.price = Dollars{fields.not_negative_if_known("price")};
  device.power = Watts{fields.not_negative_if_known("power")};
  return {device, fields.problems()};
}

Decoded<Memory> decode_memory(const Entry& entry) {
  Fields fields(entry);
  Memory memory;
  memory.bandwidth = Bandwidth{fields.positive("bandwidth")};
  memory.capacity = Bytes{fields.positive("capacity")};
  memory.price_per_bandwidth = PricePerBandwidth{fields.not_negative_if_known("price_per_bandwidth")};
  memory.power_per_bandwidth = PowerPerBandwidth{fields.not_negative_if_known("power_per_bandwidth")};
  return {memory, fields.problems()};
}

Decoded<Interconnect> decode_interconnect(const Entry& entry) {
  Fields fields(entry);
  Interconnect interconnect;
  interconnect.bandwidth = Bandwidth{fields.positive("bandwidth")};
  interconnect.latency = Seconds{fields.not_negative("latency")};
  interconnect.link_price_per_bandwidth = PricePerBandwidth{fields.not_negative_if_known("link_price_per_bandwidth")};
  interconnect.switch_price_per_bandwidth =
      PricePerBandwidth{fields.not_negative_if_known("switch_price_per_bandwidth")};
  interconnect.link_power_per_bandwidth = PowerPerBandwidth{fields.not_negative_if_known("link_power_per_bandwidth")};
  interconnect.switch_power_per_bandwidth =
      PowerPerBandwidth{fields.not_negative_if_known("switch_power_per_bandwidth")};
  return {interconnect, fields.problems()};
}

}  // namespace dfsweep
