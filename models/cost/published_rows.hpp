/// Rows of parameters and metrics of price and power, which every estimator with a machine publishes.
#pragma once

#include "models/cost/source.hpp"
#include "models/published_rows.hpp"

namespace dfsweep::cost::rows {

using published::flags_of;
using published::if_known;
using published::metric_of;
using published::open;
using published::or_else;
using published::real;

inline constexpr double most = 1e12;
inline constexpr std::string_view stated_or_derived = "stated by the entries, else derived from the parts";

inline constexpr ParameterInfo device_price =
    open(real("device_price", "USD", 0.0, most, "price of a chip, without memory"), stated_or_derived);
inline constexpr ParameterInfo device_power =
    open(real("device_power", "W", 0.0, most, "power of a chip, without memory"), stated_or_derived);
inline constexpr ParameterInfo memory_price =
    open(real("memory_price", "USD", 0.0, most, "price of the memory of a chip"), stated_or_derived);
inline constexpr ParameterInfo link_price =
    open(real("link_price", "USD", 0.0, most, "price of the links of a chip, with its share of switches"),
         stated_or_derived);
inline constexpr ParameterInfo host_price =
    open(real("host_price", "USD", 0.0, most, "price of the node per chip, without its chips"),
         "the system's, derived where a part varies; 0 where a device is named");
inline constexpr ParameterInfo power_limit =
    open(real("power_limit", "W", 1.0, most, "of a device with its memory; below that of its entry, its clock falls"),
         "the system's");
inline constexpr ParameterInfo service_years = open(
    real("service_years", "1", 1e-3, 1e3, "years over which a purchase is spread"), "unknown: no cost of ownership");
inline constexpr ParameterInfo electricity_price =
    or_else(real("electricity_price", "USD/J", 0.0, most, "of a unit of energy"), "0.08 USD/kWh");
inline constexpr ParameterInfo power_usage_effectiveness =
    or_else(real("power_usage_effectiveness", "1", 1.0, 100.0, "energy of the site over that of its systems"), "1.3");
inline constexpr ParameterInfo carbon_intensity =
    or_else(real("carbon_intensity", "kg/J", 0.0, most, "carbon dioxide of a unit of energy"), "0.4 kg/kWh");

inline constexpr std::string_view watts_sources[] = {"measured", "not_measured"};

inline constexpr MetricInfo price_source =
    flags_of(metric_of("price_source", "1", Better::neither,
                       "given: entries and parameters state all of system_cost; derived: a part follows from peak, "
                       "bandwidth, capacity and links"),
             source_names);
inline constexpr MetricInfo power_source =
    flags_of(metric_of("power_source", "1", Better::neither, "the same of system_power"), source_names);
inline constexpr MetricInfo device_average_power =
    if_known(metric_of("device_average_power", "W", Better::lower, "of a device with its memory, from the work done"));
inline constexpr MetricInfo system_average_power =
    if_known(metric_of("system_average_power", "W", Better::lower,
                       "device_average_power of all devices, and the nameplate power of the rest of their nodes"));
inline constexpr MetricInfo device_energy_per_token =
    if_known(metric_of("device_energy_per_token", "J", Better::lower, "device_average_power of all over token_rate"));
inline constexpr MetricInfo watts_source =
    flags_of(metric_of("watts_source", "1", Better::neither,
                       "measured: watts of this device are among those that average powers were fitted to"),
             watts_sources);
inline constexpr MetricInfo cost_of_ownership =
    if_known(metric_of("cost_of_ownership", "USD", Better::lower,
                       "of the system over service_years: system_cost and the electricity of system_average_power"));
inline constexpr MetricInfo carbon =
    if_known(metric_of("carbon", "kg", Better::lower, "of this electricity; the making of the system is not counted"));

}  // namespace dfsweep::cost::rows
