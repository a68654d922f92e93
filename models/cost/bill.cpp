#include "models/cost/bill.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::cost {

namespace {

/// The entry's parts with what varies.
DeviceParts varied_parts(const DeviceParts& entry, Throughput entry_peak, const VariedParts& varied) {
  DeviceParts now = entry;
  const System& s = varied.system;
  if (is_given(varied.peak_flops)) now.peak = (Throughput{varied.peak_flops} / entry_peak) * entry.peak;
  if (is_given(varied.sram_bytes)) now.sram = Bytes{varied.sram_bytes};
  now.memory_bandwidth = s.accelerator.memory_bandwidth;
  if (is_given(varied.memory_bytes)) now.memory_capacity = Bytes{varied.memory_bytes};
  now.links = s.network.inside.bandwidth;
  now.network = s.network.across.bandwidth;
  return now;
}

bool is_varied(const DeviceParts& entry, const DeviceParts& now) {
  return entry.peak != now.peak || entry.memory_bandwidth != now.memory_bandwidth ||
         entry.memory_capacity != now.memory_capacity || entry.links != now.links || entry.network != now.network;
}

/// Replaces a part where the sweep states it.
template <class Amount>
void state(Amount& part, double stated) {
  if (is_given(stated)) part = Amount{stated};
}

void price_system(Bill& bill, const System& entry, const DeviceParts& before, const DeviceParts& now,
                  const StatedCosts& stated) {
  ByPart<Dollars> parts = derived_price(now);
  const bool states_some = is_given(stated.device_price) || is_given(stated.memory_price) ||
                           is_given(stated.link_price) || is_given(stated.host_price);
  const bool varies = is_varied(before, now);
  bill.price_source = Source::derived;
  if (!states_some && is_given(entry.price.value())) {
    bill.price = entry.price;
    if (varies) bill.price = (parts.total() / derived_price(before).total()) * bill.price;
    if (!varies) bill.price_source = Source::given;
    return;
  }
  state(parts.chip, stated.device_price);
  state(parts.memory, stated.memory_price);
  state(parts.links, stated.link_price);
  state(parts.host, stated.host_price);
  bill.price = parts.total();
  if (is_given(stated.device_price) && is_given(stated.memory_price) && is_given(stated.link_price) &&
      is_given(stated.host_price))
    bill.price_source = Source::given;
}

void power_system(Bill& bill, const System& entry, const DeviceParts& before, const DeviceParts& now,
                  const StatedCosts& stated) {
  ByPart<Watts> parts = derived_power(now);
  const ByPart<Watts> original = derived_power(before);
  const bool varies = is_varied(before, now) || is_given(stated.device_power);
  state(parts.chip, stated.device_power);
  const double device_ratio = varies ? parts.device() / original.device() : 1.0;
  const bool has_power = is_given(entry.power.value());
  bill.power_source = has_power && !varies ? Source::given : Source::derived;
  Watts limit = is_given(entry.power_limit.value()) ? entry.power_limit : original.device();
  if (has_power) limit = std::min(limit, entry.power);
  bill.limit = device_ratio * limit;
  bill.power = bill.limit + (has_power ? entry.power - limit : parts.host);
  const bool has_idle = is_given(entry.idle_power.value());
  bill.idle = has_idle ? device_ratio * entry.idle_power : usual_idle_share * bill.limit;
  bill.has_measured_watts = has_idle && !varies;
}

/// Stated or, where a chip states none, usual price or power of links per bandwidth of a device.
template <class PerBandwidth>
PerBandwidth per_bandwidth(const PerBandwidth& link, const PerBandwidth& of_switch, PerBandwidth usual_link,
                           PerBandwidth usual_switch, bool& is_stated) {
  is_stated = is_stated && is_given(link.value()) && is_given(of_switch.value());
  return (is_given(link.value()) ? link : usual_link) + (is_given(of_switch.value()) ? of_switch : usual_switch);
}

/// Price and power of the links of a chip: each tier by its own interconnect.
struct LinkCosts {
  Dollars price;
  Watts power;
  bool has_price = true;
  bool has_power = true;
};
void add_links(LinkCosts& costs, const Interconnect* link, Bandwidth bandwidth) {
  if (!(bandwidth > Bandwidth{})) return;
  const Interconnect unknown{bandwidth,
                             {},
                             PricePerBandwidth{absent},
                             PricePerBandwidth{absent},
                             PowerPerBandwidth{absent},
                             PowerPerBandwidth{absent}};
  const Interconnect& l = link != nullptr ? *link : unknown;
  costs.price += bandwidth * per_bandwidth(l.link_price_per_bandwidth, l.switch_price_per_bandwidth, usual_link_price,
                                           usual_switch_price, costs.has_price);
  costs.power += bandwidth * per_bandwidth(l.link_power_per_bandwidth, l.switch_power_per_bandwidth, usual_link_power,
                                           usual_switch_power, costs.has_power);
}

/// The parts of a chip with memory and links as their entries have them.
DeviceParts chip_parts(const NamedParts& named, const System& system) {
  DeviceParts parts = parts_of(system);
  parts.peak = named.device->peak_flops;
  parts.sram = named.device->sram_capacity;
  if (named.memory != nullptr) {
    parts.memory = named.memory->technology;
    parts.memory_bandwidth = named.memory->bandwidth;
  }
  // Capacity without end has no price: the entries of memories may state one that no chip has.
  parts.memory_capacity = Bytes{};
  return parts;
}

/// A chip with its memory before and after what varies.
struct ChipParts {
  DeviceParts before;
  DeviceParts now;
  DeviceParts without_capacity;  ///< `now` of a memory that holds nothing
  Memory memory;                 ///< as its entry has it; prices are NaN where no entry is named
  LinkCosts links;
  bool has_capacity = false;  ///< the sweep gives the capacity, which counts then
  /// Unknown peaks do not vary.
  [[nodiscard]] bool varies() const {
    return now.peak < before.peak || now.peak > before.peak || now.sram != before.sram;
  }
};

ChipParts chip_of(const NamedParts& named, const VariedParts& varied) {
  ChipParts chip;
  chip.before = chip_parts(named, varied.system);
  const Throughput peak = usual_speed(varied.format) * named.device->peak_flops;
  chip.now = varied_parts(chip.before, peak, varied);
  chip.has_capacity = is_given(varied.memory_bytes);
  chip.without_capacity = chip.now;
  chip.without_capacity.memory_capacity = Bytes{};
  chip.memory.price_per_bandwidth = PricePerBandwidth{absent};
  chip.memory.power_per_bandwidth = PowerPerBandwidth{absent};
  if (named.memory != nullptr) chip.memory = *named.memory;
  add_links(chip.links, named.inside, chip.now.links);
  add_links(chip.links, named.across != nullptr ? named.across : named.inside, chip.now.network);
  return chip;
}

/// Price or power of a chip as entries and the sweep state it.
template <class Amount, class PerBandwidth>
struct ChipStatements {
  ByPart<Amount> (*derived)(const DeviceParts&);  ///< what is not stated
  Amount chip;                                    ///< of its entry, as all but the last; NaN: not stated
  PerBandwidth memory;
  Amount links;
  bool has_links = true;
  ByPart<double> sweep;  ///< of the sweep; NaN: not stated
};

template <class Amount>
struct ChipAmount {
  ByPart<Amount> parts;
  Source source = Source::given;
};

/// The rules of bill_of() for a chip. Hosts are what the sweep states.
template <class Amount, class PerBandwidth>
ChipAmount<Amount> amount_of(const ChipParts& chip, const ChipStatements<Amount, PerBandwidth>& stated) {
  const bool has_entry = is_given(stated.chip.value());
  const bool has_memory = is_given(stated.memory.value());
  ByPart<Amount> parts = stated.derived(chip.now);
  if (has_memory)
    parts.memory =
        chip.now.memory_bandwidth * stated.memory + (parts.memory - stated.derived(chip.without_capacity).memory);
  if (has_entry)
    parts.chip = chip.varies() ? (parts.chip / stated.derived(chip.before).chip) * stated.chip : stated.chip;
  parts.links = stated.links;
  parts.host = Amount{};
  state(parts.chip, stated.sweep.chip);
  state(parts.memory, stated.sweep.memory);
  state(parts.links, stated.sweep.links);
  state(parts.host, stated.sweep.host);
  const bool states_chip = is_given(stated.sweep.chip) || (has_entry && !chip.varies());
  const bool states_memory = is_given(stated.sweep.memory) || (has_memory && !chip.has_capacity);
  const bool states_links = is_given(stated.sweep.links) || stated.has_links;
  return {parts, states_chip && states_memory && states_links ? Source::given : Source::derived};
}

void bill_chip(Bill& bill, const Device& device, const ChipParts& chip, const StatedCosts& stated) {
  const auto price = amount_of<Dollars, PricePerBandwidth>(
      chip, {derived_price,
             device.price,
             chip.memory.price_per_bandwidth,
             chip.links.price,
             chip.links.has_price,
             {stated.device_price, stated.memory_price, stated.link_price, stated.host_price}});
  const auto power = amount_of<Watts, PowerPerBandwidth>(chip, {derived_power,
                                                                device.power,
                                                                chip.memory.power_per_bandwidth,
                                                                chip.links.power,
                                                                chip.links.has_power,
                                                                {stated.device_power, absent, absent, absent}});
  bill.price = price.parts.total();
  bill.price_source = price.source;
  bill.power = bill.limit = power.parts.device();
  bill.idle = usual_idle_share * bill.limit;
  bill.power_source = power.source;
}

}  // namespace

Bill bill_of(const NamedParts& named, const VariedParts& varied, const StatedCosts& stated) {
  Bill bill;
  if (named.system != nullptr) {
    const DeviceParts before = parts_of(*named.system);
    const DeviceParts now = varied_parts(before, usual_peak(named.system->accelerator, varied.format), varied);
    price_system(bill, *named.system, before, now, stated);
    power_system(bill, *named.system, before, now, stated);
  } else {
    bill_chip(bill, *named.device, chip_of(named, varied), stated);
  }
  if (is_given(stated.power_limit) && Watts{stated.power_limit} < bill.limit) {
    bill.power = bill.power - (bill.limit - Watts{stated.power_limit});
    bill.limit = Watts{stated.power_limit};
    bill.idle = std::min(bill.idle, bill.limit);
  }
  return bill;
}

}  // namespace dfsweep::cost
