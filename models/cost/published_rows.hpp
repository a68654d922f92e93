/// Rows of parameters and metrics of price, power and ownership, which estimators append to their own tables as blocks.
///
/// An enumeration of parameters with `prices` (or `ownership`) has the block of PriceParameter (OwnershipParameter)
/// there, one of metrics with `prices`, `watts` or `ownership` the blocks of metrics: place_of() gives the enumerator
/// of a row in the estimator. What the rows mean: docs/models/cost.md.
#pragma once

#include <algorithm>
#include <array>

#include "models/absent.hpp"
#include "models/cost/source.hpp"
#include "models/published_rows.hpp"

namespace dfsweep::cost {

/// What a sweep states of the prices and the power of a device.
enum class PriceParameter : ParameterIndex { device_price, device_power, memory_price, link_price, host_price, count };
/// What a sweep says of the years of service.
enum class OwnershipParameter : ParameterIndex {
  service_years,
  electricity_price,
  power_usage_effectiveness,
  carbon_intensity,
  count
};
/// Whether prices and powers are stated or derived.
enum class PriceMetric : MetricIndex { price_source, power_source, count };
/// Average power from the work done.
enum class WattsMetric : MetricIndex {
  watts_source,
  device_average_power,
  system_average_power,
  device_energy_per_token,
  count
};
enum class OwnershipMetric : MetricIndex { cost_of_ownership, carbon, count };

/// The enumerator of a row of a block among the parameters or metrics of an estimator.
template <class Parameter>
[[nodiscard]] constexpr Parameter place_of(PriceParameter row) {
  return static_cast<Parameter>(index_of(Parameter::prices) + index_of(row));
}
template <class Parameter>
[[nodiscard]] constexpr Parameter place_of(OwnershipParameter row) {
  return static_cast<Parameter>(index_of(Parameter::ownership) + index_of(row));
}
template <class Metric>
[[nodiscard]] constexpr Metric place_of(PriceMetric row) {
  return static_cast<Metric>(index_of(Metric::prices) + index_of(row));
}
template <class Metric>
[[nodiscard]] constexpr Metric place_of(WattsMetric row) {
  return static_cast<Metric>(index_of(Metric::watts) + index_of(row));
}
template <class Metric>
[[nodiscard]] constexpr Metric place_of(OwnershipMetric row) {
  return static_cast<Metric>(index_of(Metric::ownership) + index_of(row));
}

/// The enumerators of all rows of a block.
template <class Enumerator, class Block>
inline constexpr auto places_of = [] {
  std::array<Enumerator, count_of<Block>> places{};
  for (const Block row : all_of<Block>) places[index_of(row)] = place_of<Enumerator>(row);
  return places;
}();

/// Whether ownership is asked of some point: `Parameter` is the enumeration of the estimator's parameters.
template <class Parameter>
[[nodiscard]] bool asks_ownership(const SweepValues& values) {
  const std::vector<ParameterValue>& years = values[place_of<Parameter>(OwnershipParameter::service_years)].values;
  return std::any_of(years.begin(), years.end(), [](const ParameterValue& value) { return is_given(value.number); });
}

namespace rows {

using published::flags_of;
using published::if_known;
using published::is_in_order;
using published::metric_of;
using published::open;
using published::or_else;
using published::real;
using published::Row;

inline constexpr double most = 1e12;
inline constexpr std::string_view stated_or_derived = "stated by the entries, else derived from the parts";
inline constexpr std::string_view watts_sources[] = {"measured", "not_measured"};

inline constexpr auto price_parameters = std::to_array<Row<PriceParameter, ParameterInfo>>({
    {PriceParameter::device_price,
     open(real("device_price", "USD", 0.0, most, "price of a chip, without memory"), stated_or_derived)},
    {PriceParameter::device_power,
     open(real("device_power", "W", 0.0, most, "power of a chip, without memory"), stated_or_derived)},
    {PriceParameter::memory_price,
     open(real("memory_price", "USD", 0.0, most, "price of the memory of a chip"), stated_or_derived)},
    {PriceParameter::link_price,
     open(real("link_price", "USD", 0.0, most, "price of the links of a chip, with its share of switches"),
          stated_or_derived)},
    {PriceParameter::host_price, open(real("host_price", "USD", 0.0, most,
                                           "price of the node per chip, without its "
                                           "chips"),
                                      "the system's, derived where a part varies; 0 where a device is named")},
});
static_assert(is_in_order(price_parameters));

inline constexpr auto ownership_parameters = std::to_array<Row<OwnershipParameter, ParameterInfo>>({
    {OwnershipParameter::service_years,
     open(real("service_years", "1", 1e-3, 1e3, "years over which a purchase is spread"),
          "unknown: no cost of ownership")},
    {OwnershipParameter::electricity_price,
     or_else(real("electricity_price", "USD/J", 0.0, most, "of a unit of energy"), "0.08 USD/kWh")},
    {OwnershipParameter::power_usage_effectiveness,
     or_else(real("power_usage_effectiveness", "1", 1.0, 100.0, "energy of the site over that of its systems"), "1.3")},
    {OwnershipParameter::carbon_intensity,
     or_else(real("carbon_intensity", "kg/J", 0.0, most, "carbon dioxide of a unit of energy"), "0.4 kg/kWh")},
});
static_assert(is_in_order(ownership_parameters));

inline constexpr auto price_metrics = std::to_array<Row<PriceMetric, MetricInfo>>({
    {PriceMetric::price_source,
     flags_of(metric_of("price_source", "1", Better::neither,
                        "given: entries and parameters state all of system_cost; derived: a part follows from peak, "
                        "bandwidth, capacity and links"),
              source_names)},
    {PriceMetric::power_source,
     flags_of(metric_of("power_source", "1", Better::neither, "the same of system_power"), source_names)},
});
static_assert(is_in_order(price_metrics));

inline constexpr auto watts_metrics = std::to_array<Row<WattsMetric, MetricInfo>>({
    {WattsMetric::watts_source,
     flags_of(metric_of("watts_source", "1", Better::neither,
                        "measured: watts of this device are among those that average powers were fitted to"),
              watts_sources)},
    {WattsMetric::device_average_power, if_known(metric_of("device_average_power", "W", Better::lower,
                                                           "of a device with its memory, from the work done"))},
    {WattsMetric::system_average_power,
     if_known(metric_of("system_average_power", "W", Better::lower,
                        "device_average_power of all devices, and the nameplate power of the rest of their nodes"))},
    {WattsMetric::device_energy_per_token,
     if_known(metric_of("device_energy_per_token", "J", Better::lower, "device_average_power of all over token_rate"))},
});
static_assert(is_in_order(watts_metrics));

inline constexpr auto ownership_metrics = std::to_array<Row<OwnershipMetric, MetricInfo>>({
    {OwnershipMetric::cost_of_ownership,
     if_known(metric_of("cost_of_ownership", "USD", Better::lower,
                        "of the system over service_years: system_cost and the electricity of its average power, or of "
                        "system_power where that is not known"))},
    {OwnershipMetric::carbon, if_known(metric_of("carbon", "kg", Better::lower,
                                                 "of this electricity; the making of the system is not counted"))},
});
static_assert(is_in_order(ownership_metrics));

}  // namespace rows

inline constexpr auto price_parameters = published::infos_of(rows::price_parameters);
inline constexpr auto ownership_parameters = published::infos_of(rows::ownership_parameters);
inline constexpr auto price_metrics = published::infos_of(rows::price_metrics);
inline constexpr auto watts_metrics = published::infos_of(rows::watts_metrics);
inline constexpr auto ownership_metrics = published::infos_of(rows::ownership_metrics);

/// Behind the block of prices where the estimator lowers the clock of a device to keep it.
inline constexpr ParameterInfo power_limit =
    published::open(published::real("power_limit", "W", 1.0, rows::most,
                                    "of a device with its memory; below that of its entry, its clock falls"),
                    "the system's");

/// Of estimators that know no average power.
inline constexpr MetricInfo system_cost = published::metric_of(
    "system_cost", "USD", Better::lower, "price of all devices: stated, or derived from their parts");
inline constexpr MetricInfo system_power = published::metric_of(
    "system_power", "W", Better::lower, "nameplate power of all devices: stated, or derived from their parts");
inline constexpr MetricInfo energy_of_nameplate =
    published::metric_of("energy_per_token", "J", Better::lower, "system_power over token_rate");

}  // namespace dfsweep::cost
