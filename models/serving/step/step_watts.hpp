/// What a decode step of a replica moves and computes, for the watts of its devices.
/// Source: docs/measured-energy.md.
#pragma once

#include "models/cost/step_power.hpp"
#include "models/serving/step/times.hpp"

namespace dfsweep::serving {

/// Of one device.
struct DecodeTraffic {
  cost::ServingPower power;
  Bandwidth bandwidth;
  Bytes weights;        ///< that every step reads: attention, dense networks, output layer
  Bytes experts;        ///< of all experts
  Bytes cache;          ///< of a position of a sequence
  Bytes state;          ///< of a sequence, read and written
  Seconds kernels;      ///< in which kernels run without bytes or FLOP, of a step
  double narrow = 0.0;  ///< share of the layers whose experts have 8 or 4 bits
};
[[nodiscard]] DecodeTraffic traffic_of(const Replica& replica);

/// Shares of bandwidth and peak that a decode step reaches (docs/models/cost.md). W: weights, E: experts, b: sequences
/// of a rank, c: context, T: `step`, P: peak, 2 N active: FLOP of a token
///
///     u_b = (W + E touched + (b c cache + b state) / pipeline) / (T bandwidth)
///     u_f = tokens 2 N active / (T P)
///     kernels = layers' time / T
///
/// Shares of time are left as they are.
[[nodiscard]] cost::ServingWork decode_work(const DecodeTraffic& traffic, const Costs& costs, const Decode& decode,
                                            Seconds step);

}  // namespace dfsweep::serving
