/// Values of the shared rows of price and power: read from the numbers of a point, written to its metrics.
#pragma once

#include "models/cost/bill.hpp"
#include "models/cost/ownership_columns.hpp"
#include "models/cost/published_rows.hpp"

namespace dfsweep::cost {

/// What a point states of prices and powers; no limit of power. `number`: the value of a parameter, NaN where absent.
template <class Parameter, class Number>
[[nodiscard]] StatedCosts stated_costs(const Number& number) {
  using enum PriceParameter;
  const auto at = [&](PriceParameter row) { return number(place_of<Parameter>(row)); };
  return {at(device_price), at(device_power), at(memory_price), at(link_price), at(host_price), absent};
}

/// Average power of a system from the work done.
template <class Number>
struct BasicAveragePower {
  InLanes<Watts, Number> device;  ///< of a device
  InLanes<Watts, Number> system;  ///< of all devices with the rest of their nodes
  double devices;                 ///< their number
  Number token_rate;              ///< of all of them
};
using AveragePower = BasicAveragePower<double>;

/// `set(metric, value)` writes a metric.
template <class Metric, class Set>
void write_sources(const Set& set, Source price, Source power) {
  set(place_of<Metric>(PriceMetric::price_source), static_cast<double>(index_of(price)));
  set(place_of<Metric>(PriceMetric::power_source), static_cast<double>(index_of(power)));
}

/// Price, nameplate power and ownership of a system of equal devices, where the average power is not known.
template <class Metric, class Set>
void write_system(const Set& set, const Bill& bill, double devices, double token_rate,
                  const OwnershipChoices& ownership) {
  const OwnedSystem system{devices * bill.price, devices * bill.power};
  set(Metric::system_cost, system.price.value());
  set(Metric::system_power, system.average_power.value());
  set(Metric::energy_per_token, system.average_power.value() / token_rate);
  write_sources<Metric>(set, bill.price_source, bill.power_source);
  write_ownership<Metric>(set, system, ownership);
}

template <class Metric, class Number = double, class Set>
void write_watts(const Set& set, const BasicAveragePower<Number>& average, bool is_measured) {
  set(place_of<Metric>(WattsMetric::watts_source), is_measured ? 0.0 : 1.0);
  set(place_of<Metric>(WattsMetric::device_average_power), average.device.value());
  set(place_of<Metric>(WattsMetric::system_average_power), average.system.value());
  set(place_of<Metric>(WattsMetric::device_energy_per_token),
      (average.devices * average.device).value() / average.token_rate);
}

}  // namespace dfsweep::cost
