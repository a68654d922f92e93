/// Bill: price and power of one device of a machine with its share of the rest, each stated by an entry or derived from
/// its parts.
#pragma once

#include "models/absent.hpp"
#include "models/cost/derived_cost.hpp"
#include "models/cost/source.hpp"
#include "models/machine/hardware.hpp"
#include "models/machine/number_format.hpp"
#include "models/machine/system.hpp"

namespace dfsweep::cost {

/// What a sweep states of one device, in USD and W; NaN where it does not.
struct StatedCosts {
  double device_price = absent;  ///< of the chip, without memory
  double device_power = absent;  ///< likewise
  double memory_price = absent;
  double link_price = absent;  ///< of its links with a share of switches
  double host_price = absent;  ///< of its share of the node
  double power_limit = absent;
};

/// A machine as its entries describe it: a system, or a chip with memory and links. Null: not named.
struct NamedParts {
  const System* system = nullptr;
  const Device* device = nullptr;        ///< not null without a system
  const Memory* memory = nullptr;        ///< without a system, null where only its bandwidth is known
  const Interconnect* inside = nullptr;  ///< links of a node
  const Interconnect* across = nullptr;  ///< links to other nodes
};

/// What a sweep varies of them.
struct VariedParts {
  System system;                 ///< with the figures of the point; its prices and powers are not read
  double peak_flops = absent;    ///< of the point, in `format`; NaN: that of the entry
  double memory_bytes = absent;  ///< of the point; NaN: that of the entry
  MatrixFormat format = MatrixFormat::bits16;
  double sram_bytes = absent;  ///< of a chip, of the point; NaN: that of the entry
};

struct Bill {
  Dollars price;
  Watts power;  ///< nameplate: what a power supply must give
  Watts limit;  ///< of the device alone
  Watts idle;   ///< of the device alone while nothing runs
  Source price_source = Source::given;
  Source power_source = Source::given;
  bool has_measured_watts = false;  ///< watts of this device were measured
};

/// Share of its limit that a device without measured idle power draws while nothing runs, as measured ones do.
inline constexpr double usual_idle_share = 0.2;

/// With D(x) the derived total of parts x and E the parts of the entry:
///
///     system    stated price D(parts) / D(E), which is the stated one where nothing varies; D(parts) without one, or
///               where the sweep states some part: the sum of stated and derived parts. Its power is the stated limit
///               of a device times that ratio of devices alone, and the rest of its node, which stays
///     chip      sum of chip (stated, times its derived ratio where it varies), memory (stated per bandwidth; swept
///               capacity adds its derived price), links (stated per bandwidth, or the usual ones) and stated host
///
/// power of a chip likewise; limit and idle power follow the derived power of the device alone. Without an entry of
/// idle_power a device draws usual_idle_share of its limit.
[[nodiscard]] Bill bill_of(const NamedParts& named, const VariedParts& varied, const StatedCosts& stated);

/// Power of the node beside its devices, per device: nameplate less limit.
[[nodiscard]] inline Watts rest_of_node(const Bill& bill) {
  return bill.power - bill.limit;
}

}  // namespace dfsweep::cost
