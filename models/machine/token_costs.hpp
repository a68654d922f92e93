/// Token costs: energy and money that devices take for the tokens that they yield.
/// Source: docs/models/serving.md, costs.
#pragma once

#include "models/units.hpp"

namespace dfsweep {

/// Devices that yield tokens together. Unknown figures are NaN.
struct YieldingDevices {
  double count = 1.0;
  Watts power;              ///< of all
  double hour_price = 0.0;  ///< USD, of one device for an hour
  double token_rate = 0.0;  ///< tokens per second, of all
};

/// power / token_rate, in J. NaN where one of them is.
[[nodiscard]] double energy_per_token(const YieldingDevices& devices);

/// count hour_price / 3600 s / token_rate 10^6, in USD. NaN where one of them is.
[[nodiscard]] double cost_per_million_tokens(const YieldingDevices& devices);

}  // namespace dfsweep
