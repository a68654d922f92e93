/// Points of a sweep: what each is, or why it cannot be.
#pragma once

#include "models/cost/bill.hpp"
#include "models/prepared/code_columns.hpp"
#include "models/training/points/decoded_values.hpp"
#include "models/training/step/point.hpp"

namespace dfsweep::training {

using PointCodes = CodeColumns<Parameter>;

struct Point {
  TrainingPoint point;
  System system;
  cost::Bill bill;                       ///< of a device
  std::optional<NumberFormat> products;  ///< format of matrix products; nothing: the chip has none for the precision
  const Capabilities* stack = nullptr;   ///< of the sweep's values; null: no software is given
  StackDemand demand;                    ///< where it is
  Evidence evidence = Evidence::not_measured;
  std::uint8_t status = status_ok;  ///< why it is infeasible, before memory is checked
};

/// Point `i`. Weights that are trained fully sharded stay in 32 bits and are gathered in 16: 4/4/8 bytes; others have
/// 16-bit weights, 32-bit gradients and 12 bytes of optimizer state, unless state_bytes says otherwise.
[[nodiscard]] Point point_at(const DecodedValues& values, const PointCodes& codes, std::size_t i);

}  // namespace dfsweep::training
