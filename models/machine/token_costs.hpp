/// Token costs: energy and money that devices take for the tokens that they yield.
/// Source: docs/models/serving.md, costs.
#pragma once

#include "models/quantity_lanes.hpp"
#include "models/units.hpp"

namespace dfsweep {

/// Devices that yield tokens together. Unknown figures are NaN.
template <class Number>
struct BasicYieldingDevices {
  double count = 1.0;
  InLanes<Watts, Number> power;  ///< of all
  Number hour_price = 0.0;       ///< USD, of one device for an hour
  Number token_rate = 0.0;       ///< tokens per second, of all
};
using YieldingDevices = BasicYieldingDevices<double>;

/// power / token_rate, in J. NaN where one of them is.
template <class Number>
[[nodiscard]] Number energy_per_token(const BasicYieldingDevices<Number>& devices) {
  return devices.power.value() / devices.token_rate;
}

/// count hour_price / 3600 s / token_rate 10^6, in USD. NaN where one of them is.
template <class Number>
[[nodiscard]] Number cost_per_million_tokens(const BasicYieldingDevices<Number>& devices) {
  constexpr double seconds_per_hour = 3600.0;
  return devices.count * devices.hour_price / seconds_per_hour / devices.token_rate * 1e6;
}

}  // namespace dfsweep
