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
  Bytes weights;    ///< that every step reads: attention, dense networks, output layer
  Bytes experts;    ///< of all experts; those of 8 and 4 bits count `power.narrow` times
  Bytes cache;      ///< of a position of a sequence
  Bytes state;      ///< of a sequence, read and written
  Seconds kernels;  ///< in which kernels run without bytes or FLOP, of a step
  Seconds routed;   ///< the same of a token
};
[[nodiscard]] DecodeTraffic traffic_of(const Replica& replica);

/// Shares of bandwidth and peak that a decode step reaches (docs/models/cost.md). W: weights, E: experts, b: sequences
/// of a rank, c: context, T: `step`, P: peak, 2 N active: FLOP of a token, t: tokens of a stage
///
///     u_b = (W + E touched + (b c cache + b state) / pipeline) / (T bandwidth)
///     u_f = tokens 2 N active / (T P)
///     kernels = (layers' time + t routed) / T
///
/// Shares of time are left as they are.
template <class Number>
[[nodiscard]] cost::BasicServingWork<Number> decode_work(const DecodeTraffic& t, const Costs& costs,
                                                         const BasicDecode<Number>& decode,
                                                         const SecondsOf<Number>& step) {
  const BasicStepTokens<Number> tokens = decode_step_tokens(costs, decode);
  const Number sequences = decode.sequences / (costs.ranks * costs.pipeline);
  const Number touched = costs.touch.count > 0 ? touched_experts(costs.touch, tokens.all) : Number(0.0);
  const auto moved =
      t.weights + touched * t.experts + sequences * (positions_read(costs, decode.context) * t.cache + t.state);
  const InLanes<Flop, Number> computed{decode.sequences * decode.step_tokens * (costs.flop_token + costs.flop_output)};
  cost::BasicServingWork<Number> work;
  work.byte_share = moved / (step * t.bandwidth);
  work.flop_share = computed / (step * costs.peak);
  work.kernels = (t.kernels + tokens.all * t.routed) / step;
  return work;
}

}  // namespace dfsweep::serving
