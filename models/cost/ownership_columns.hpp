/// Values of the shared rows of ownership: read from the numbers of a point, written to its metrics.
#pragma once

#include "models/cost/ownership.hpp"
#include "models/cost/published_rows.hpp"

namespace dfsweep::cost {

/// `number`: the value of a parameter, NaN where absent.
template <class Parameter, class Number>
[[nodiscard]] OwnershipChoices ownership_choices(const Number& number) {
  using enum OwnershipParameter;
  const auto at = [&](OwnershipParameter row) { return number(place_of<Parameter>(row)); };
  return {at(service_years), at(electricity_price), at(power_usage_effectiveness), at(carbon_intensity)};
}

/// `set(metric, value)` writes a metric.
template <class Metric, class Set, class Number>
void write_ownership(const Set& set, const BasicOwnedSystem<Number>& system, const OwnershipChoices& choices) {
  set(place_of<Metric>(OwnershipMetric::cost_of_ownership), cost_of_ownership(system, choices));
  set(place_of<Metric>(OwnershipMetric::carbon), carbon(system, choices));
}

}  // namespace dfsweep::cost
