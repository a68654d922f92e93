/// Derived cost: price and power of a device from its parts, where entries state none.
///
/// Coefficients and exponents were fitted to the devices of the catalogue that have a price or a power with a source;
/// tests/golden/derived_prices.py repeats the fit and writes docs/derived-prices.md with the error of each device that
/// was left out. All terms are positive powers with positive coefficients, so that price and power are positive,
/// continuous, and grow with every part.
#pragma once

#include "models/cost/device_parts.hpp"

namespace dfsweep::cost {

/// Dollars or Watts of one device, by part.
template <class Amount>
struct ByPart {
  Amount chip;
  Amount memory;
  Amount links;  ///< price: with the switches, inside and outside the node; power: inside the node
  Amount host;   ///< share of the node: processors, chassis, cooling
  [[nodiscard]] constexpr Amount device() const { return chip + memory + links; }
  [[nodiscard]] constexpr Amount total() const { return device() + host; }
};

/// docs/models/cost.md, with P: peak in PFLOP/s, B: bytes/s and M: bytes of memory, L: bytes/s of links inside the
/// node, N: to other nodes
///
///     chip = 12900 USD P^0.829 + 34.6 USD/MB SRAM      memory = 1.28 USD/(GB/s) B + c USD/GB M, c by technology
///     links = 6.55 USD/(GB/s) L + 40 USD/(GB/s) N      host = 10400 USD
[[nodiscard]] ByPart<Dollars> derived_price(const DeviceParts& parts);

/// docs/models/cost.md, the same symbols:
///
///     chip = 411 W P^0.6 + 0.41 W/MB SRAM              memory = 0.0612 W/(GB/s) e B + 0.1 W/GB M, e by technology
///     links = 0.0316 W/(GB/s) L                        host = 496 W
[[nodiscard]] ByPart<Watts> derived_power(const DeviceParts& parts);

/// Price and power of links and switches of interconnects that state none: those of the DFModel run logs.
inline constexpr PricePerBandwidth usual_link_price{2e-9};
inline constexpr PricePerBandwidth usual_switch_price{24e-9};
inline constexpr PowerPerBandwidth usual_link_power{0.0104e-9};
inline constexpr PowerPerBandwidth usual_switch_power{0.052e-9};

}  // namespace dfsweep::cost
