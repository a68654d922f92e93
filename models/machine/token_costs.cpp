#include "models/machine/token_costs.hpp"

namespace dfsweep {

namespace {

constexpr double seconds_per_hour = 3600.0;

}  // namespace

double energy_per_token(const YieldingDevices& devices) {
  return devices.power.value() / devices.token_rate;
}

double cost_per_million_tokens(const YieldingDevices& devices) {
  return devices.count * devices.hour_price / seconds_per_hour / devices.token_rate * 1e6;
}

}  // namespace dfsweep
