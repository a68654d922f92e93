/// Ownership: what a system costs over its service life, and the carbon of its electricity.
#pragma once

#include "models/absent.hpp"
#include "models/quantity_lanes.hpp"
#include "models/units.hpp"

namespace dfsweep::cost {

inline constexpr double seconds_per_year = 365.25 * 86400.0;

/// What the sweep says; NaN where it says nothing.
struct OwnershipChoices {
  double service_years = absent;
  double electricity_price = 0.08 / 3.6e6;  ///< USD/J
  double power_usage_effectiveness = 1.3;
  double carbon_intensity = 0.4 / 3.6e6;  ///< kg/J
};

/// Of a whole system.
template <class Number>
struct BasicOwnedSystem {
  Dollars price{absent};
  InLanes<Watts, Number> average_power{Watts{absent}};
};
using OwnedSystem = BasicOwnedSystem<double>;

/// Joules of the site over the service life: effectiveness x average power x years. NaN without years.
template <class Number>
[[nodiscard]] Number site_energy(const BasicOwnedSystem<Number>& system, const OwnershipChoices& c) {
  return c.power_usage_effectiveness * system.average_power.value() * c.service_years * seconds_per_year;
}

/// USD: price + electricity price x energy of the site.
template <class Number>
[[nodiscard]] Number cost_of_ownership(const BasicOwnedSystem<Number>& system, const OwnershipChoices& c) {
  return system.price.value() + c.electricity_price * site_energy(system, c);
}

/// kg: intensity x energy of the site. The making of the system is not counted.
template <class Number>
[[nodiscard]] Number carbon(const BasicOwnedSystem<Number>& system, const OwnershipChoices& c) {
  return c.carbon_intensity * site_energy(system, c);
}

/// USD of a device for an hour: `stated` where it is, else its share of the cost of ownership over the service life.
template <class Number>
[[nodiscard]] Number device_hour_price(double stated, const BasicOwnedSystem<Number>& system, const OwnershipChoices& c,
                                       double devices) {
  constexpr double seconds_per_hour = 3600.0;
  if (is_given(stated)) return stated;
  return cost_of_ownership(system, c) / devices / (c.service_years * seconds_per_year / seconds_per_hour);
}

}  // namespace dfsweep::cost
