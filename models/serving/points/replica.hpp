/// The replica of a point: the model on the devices of one pool, in the formats and with the efficiencies of the point.
#pragma once

#include <optional>

#include "models/cost/bill.hpp"
#include "models/serving/points/values.hpp"
#include "models/serving/step/costs.hpp"

namespace dfsweep::serving {

/// Which replicas of a deployment: with separate pools, parameters with the prefix of a pool replace the common ones.
enum class PoolKind : std::uint8_t { prefill, decode };

/// The machine with what the sweep replaces.
[[nodiscard]] System machine_of(const DecodedValues& values, const PointValues& v);

/// Price and power of a device of the machine.
[[nodiscard]] cost::Bill bill_at(const DecodedValues& values, const PointValues& v, const System& machine);

/// Whether power_limit, where it is given, is above the idle power of the device.
[[nodiscard]] bool keeps_power_limit(const DecodedValues& values, const PointValues& v);

/// The target's replica. Where the chip has no format for the products, they are of 16 bits.
[[nodiscard]] Replica replica_of(const DecodedValues& values, const PointValues& v, PoolKind pool = PoolKind::decode);

/// The prices of a deployment's steps from measured operators.
struct PoolPrices {
  StepPrices answers;                 ///< of replicas that write answers, or do both
  std::optional<StepPrices> prompts;  ///< of replicas that only read prompts
};

/// The format of matrix products; nothing where the chip has none for the precision.
[[nodiscard]] std::optional<NumberFormat> products_of(const DecodedValues& values, const PointValues& v, PoolKind pool);

/// Why a replica cannot exist: degrees that divide neither heads nor devices, too many stages, no vocabulary; or ok.
[[nodiscard]] Status broken_rule(const Replica& replica);

}  // namespace dfsweep::serving
