/// Deployment: what the parameters of model, machine and degrees decide, whatever the requests are.
#pragma once

#include <optional>

#include "models/serving/batching/capacity.hpp"
#include "models/serving/points/values.hpp"

namespace dfsweep::serving {

struct Deployment {
  Costs costs;
  std::optional<Costs> draft;      ///< of the draft model on the same devices
  Capacity capacity;               ///< of both
  double devices = 1.0;            ///< of a replica
  double chunk = 0.0;              ///< prompt tokens of a step at most
  Dollars price;                   ///< of a device with its share of the rest; NaN: unknown
  Watts power;                     ///< likewise
  double expected_error = absent;  ///< of times, where the software was calibrated
  double expected_memory_error = absent;
  std::optional<NumberFormat> products;  ///< format of matrix products; nothing: the chip has none for the precision
  Evidence evidence = Evidence::not_measured;
  Status status = Status::ok;
};

/// The parameters that a deployment is made of.
[[nodiscard]] std::span<const Parameter> deployment_parameters();

/// The target's replica.
[[nodiscard]] Replica replica_of(const DecodedValues& values, const PointValues& v);
[[nodiscard]] Deployment deployment_of(const DecodedValues& values, const PointValues& v);

}  // namespace dfsweep::serving
