/// Exchange: collectives within a group of devices, and transfers between groups.
#pragma once

#include "models/taskgraph/work/rates.hpp"
#include "models/units.hpp"

namespace dfsweep::taskgraph {

/// Passes around a ring of devices: one for an all-gather or a reduce-scatter, two for an all-reduce.
struct Exchange {
  Bytes size;  ///< size of the whole tensors, summed over the passes
  double passes = 0.0;
  double devices = 1.0;
  double summed = 0.0;  ///< numbers that the devices add up, in one pass
};

/// t = S (p-1)/p / B + passes (p-1) latency; 0 for one device. p: devices, B: bandwidth of a device's link. [dfmodel]
/// section 4.1, for rings
[[nodiscard]] constexpr Seconds exchange_time(const Exchange& x, const LinkRates& link) {
  const double others = x.devices - 1.0;
  return others / x.devices * x.size * link.per_byte + x.passes * others * link.latency;
}

/// Time of `size` bytes over `links` parallel links.
[[nodiscard]] constexpr Seconds transfer_time(Bytes size, double links, const LinkRates& link) {
  return size / links * link.per_byte + link.latency;
}

}  // namespace dfsweep::taskgraph
