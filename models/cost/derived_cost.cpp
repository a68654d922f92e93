#include "models/cost/derived_cost.hpp"

#include <cmath>

#include "models/enum_array.hpp"

namespace dfsweep::cost {

namespace {

constexpr Throughput peta{1e15};
constexpr double giga = 1e9;
constexpr double mega = 1e6;

/// What a technology costs and draws beside the others. Prices of a byte are those of contracts of 2023 to 2025 to
/// within a third; power is that of transferred bits in data sheets and publications, relative to HBM3.
struct Technology {
  double price_per_gigabyte;  ///< USD, before the fitted factor
  double transfer_power;      ///< over that of HBM3
};
constexpr Technology technologies[] = {{12, 1.25}, {13, 1.1}, {15, 1.0}, {17, 0.9},
                                       {20, 0.8},  {7, 1.6},  {5, 0.9},  {4, 2.9}};
static_assert(sizeof(technologies) / sizeof(Technology) == static_cast<std::size_t>(MemoryTechnology::count));

// Fitted: docs/derived-prices.md.
constexpr double chip_price = 12900;  ///< USD at 1 PFLOP/s
constexpr double chip_price_exponent = 0.829;
constexpr double sram_price = 34.6 / mega;
constexpr double memory_price_factor = 1.28;  ///< of USD/(GB/s), and of the prices of bytes
constexpr PricePerBandwidth link_price{6.55 / giga};
constexpr PricePerBandwidth network_price{40 / giga};  ///< a network card, cables and a share of switches; not fitted
constexpr Dollars host_price{10400};

constexpr double chip_power = 411;  ///< W at 1 PFLOP/s
constexpr double chip_power_exponent = 0.6;
constexpr double sram_power = 0.41 / mega;
constexpr PowerPerBandwidth transfer_power{0.0612 / giga};
constexpr double standby_power = 0.1 / giga;  ///< W/B; not fitted
constexpr PowerPerBandwidth link_power{0.0309 / giga};
constexpr Watts host_power{496};

const Technology& technology_of(const DeviceParts& parts) {
  return technologies[static_cast<std::size_t>(parts.memory)];
}

}  // namespace

ByPart<Dollars> derived_price(const DeviceParts& p) {
  const double per_byte = memory_price_factor * technology_of(p).price_per_gigabyte / giga;
  return {Dollars{chip_price * std::pow(p.peak / peta, chip_price_exponent) + sram_price * p.sram.value()},
          Dollars{memory_price_factor * p.memory_bandwidth.value() / giga + per_byte * p.memory_capacity.value()},
          p.links * link_price + p.network * network_price, host_price};
}

ByPart<Watts> derived_power(const DeviceParts& p) {
  return {Watts{chip_power * std::pow(p.peak / peta, chip_power_exponent) + sram_power * p.sram.value()},
          technology_of(p).transfer_power * (p.memory_bandwidth * transfer_power) +
              Watts{standby_power * p.memory_capacity.value()},
          p.links * link_power, host_power};
}

}  // namespace dfsweep::cost
