#include "models/dataflow/points/point_costs.hpp"

#include "models/absent.hpp"
#include "models/cost/derived_cost.hpp"

namespace dfsweep::dataflow {

namespace {

using cost::DeviceParts;
using cost::Source;

/// `stated` or, where it is not, `usual`; the source becomes derived then.
template <class Amount>
Amount stated_or(Amount stated, Amount usual, Source& source) {
  if (is_given(stated.value())) return stated;
  source = Source::derived;
  return usual;
}

void set_links(StepInputs& in, const PricedEntries& e, bool has_link_price) {
  Source priced = Source::given;
  const auto link_price = [&](const Interconnect& l) {
    return stated_or(l.link_price_per_bandwidth, cost::usual_link_price, priced);
  };
  const auto switch_price = [&](const Interconnect& l) {
    return stated_or(l.switch_price_per_bandwidth, cost::usual_switch_price, priced);
  };
  const auto link_power = [&](const Interconnect& l) {
    return stated_or(l.link_power_per_bandwidth, cost::usual_link_power, in.power_source);
  };
  const auto switch_power = [&](const Interconnect& l) {
    return stated_or(l.switch_power_per_bandwidth, cost::usual_switch_power, in.power_source);
  };
  in.link_price_per_bandwidth = {link_price(e.link), link_price(e.outer_link)};
  in.switch_price_per_bandwidth = {switch_price(e.link), switch_price(e.outer_link)};
  in.link_power_per_bandwidth = {link_power(e.link), link_power(e.outer_link)};
  in.switch_power_per_bandwidth = {switch_power(e.link), switch_power(e.outer_link)};
  if (priced == Source::derived && !has_link_price) in.price_source = Source::derived;
}

/// Price and power of a chip whose entry states none, or whose parts are others.
void set_chip(StepInputs& in, const Device& device, const cost::StatedCosts& stated, PriceRule rule) {
  in.device_price = Dollars{is_given(stated.device_price) ? stated.device_price : device.price.value()};
  in.device_power = Watts{is_given(stated.device_power) ? stated.device_power : device.power.value()};
  const bool varies = rule == PriceRule::follows_parts &&
                      (in.peak_flops != device.peak_flops || in.sram_capacity != device.sram_capacity);
  const bool derives_price = !is_given(stated.device_price) && (varies || !is_given(device.price.value()));
  const bool derives_power = !is_given(stated.device_power) && (varies || !is_given(device.power.value()));
  if (!derives_price && !derives_power) return;
  DeviceParts before;
  before.peak = device.peak_flops;
  before.sram = device.sram_capacity;
  DeviceParts now = before;
  now.peak = in.peak_flops;
  now.sram = in.sram_capacity;
  if (derives_price) {
    const Dollars price = cost::derived_price(now).chip;
    in.device_price =
        is_given(device.price.value()) ? (price / cost::derived_price(before).chip) * device.price : price;
    in.price_source = Source::derived;
  }
  if (derives_power) {
    const Watts power = cost::derived_power(now).chip;
    in.device_power =
        is_given(device.power.value()) ? (power / cost::derived_power(before).chip) * device.power : power;
    in.power_source = Source::derived;
  }
}

void set_memory(StepInputs& in, const Memory& memory, const cost::StatedCosts& stated, double swept_capacity,
                PriceRule rule) {
  in.dram_price_per_bandwidth = memory.price_per_bandwidth;
  in.dram_power_per_bandwidth = memory.power_per_bandwidth;
  const bool has_price = is_given(memory.price_per_bandwidth.value());
  const bool has_power = is_given(memory.power_per_bandwidth.value());
  const bool adds_capacity = rule == PriceRule::follows_parts && is_given(swept_capacity);
  if (has_price && has_power && !adds_capacity) return;
  DeviceParts parts;
  parts.memory = memory.technology;
  parts.memory_bandwidth = Bandwidth{1.0};
  if (!has_price) in.dram_price_per_bandwidth = PricePerBandwidth{cost::derived_price(parts).memory.value()};
  if (!has_power) in.dram_power_per_bandwidth = PowerPerBandwidth{cost::derived_power(parts).memory.value()};
  if (adds_capacity) {
    parts.memory_bandwidth = Bandwidth{};
    parts.memory_capacity = Bytes{swept_capacity};
    in.dram_capacity_price = cost::derived_price(parts).memory;
    in.dram_capacity_power = cost::derived_power(parts).memory;
  }
  if ((!has_price || adds_capacity) && !is_given(stated.memory_price)) in.price_source = Source::derived;
  if (!has_power || adds_capacity) in.power_source = Source::derived;
}

/// Idle power and limit of a chip with its DRAM. A lower limit lowers the clock.
void set_power(StepInputs& in, double limit) {
  const Watts full = in.device_power + in.dram_bandwidth * in.dram_power_per_bandwidth + in.dram_capacity_power;
  in.power = {cost::usual_idle_share * full, full};
  if (!is_given(limit) || Watts{limit} >= full) return;
  in.keeps_power_limit = Watts{limit} > in.power.idle;
  if (!in.keeps_power_limit) return;
  const double clock = cost::clock_share(in.power, Watts{limit});
  in.peak_flops = clock * in.peak_flops;
  in.frequency = clock * in.frequency;
  in.power_saved = full - Watts{limit};
  in.power.limit = Watts{limit};
}

}  // namespace

void set_costs(StepInputs& in, const PricedEntries& entries, const cost::StatedCosts& stated, double swept_capacity,
               PriceRule rule) {
  set_chip(in, entries.device, stated, rule);
  set_memory(in, entries.memory, stated, swept_capacity, rule);
  set_links(in, entries, is_given(stated.link_price));
  in.memory_price = Dollars{stated.memory_price};
  in.link_price = Dollars{stated.link_price};
  if (is_given(stated.host_price)) in.host_price = Dollars{stated.host_price};
  set_power(in, stated.power_limit);
}

}  // namespace dfsweep::dataflow
