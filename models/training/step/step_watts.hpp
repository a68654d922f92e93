/// Average watts of a device over a training step. Source: docs/models/cost.md.
#pragma once

#include "models/cost/bill.hpp"
#include "models/cost/step_power.hpp"
#include "models/training/step/estimate.hpp"

namespace dfsweep::training {

/// cost::training_power() of the shares of the step: computation with the FLOP that the hardware executes, exchanges
/// and offloading that nothing hides, and waiting for stages, hosts and the slowest device. Pre: the estimate has its
/// utilization.
[[nodiscard]] inline Watts average_watts(const cost::OperatorPower& power, const cost::Bill& bill,
                                         const StepEstimate& estimate) {
  const TimeBreakdown& t = estimate.time;
  const Seconds step = estimate.step_time();
  const Seconds computing = t.forward + t.backward + t.recompute + t.optimizer + t.imbalance;
  const Seconds exchanging =
      t.tensor_exchange + t.expert_exchange + t.context_exchange + t.stage_exchange + t.data_exchange + t.offload;
  const double flop_share = estimate.hardware_flops_utilization * (step / computing);
  return cost::training_power(power, {bill.idle, bill.limit}, {computing / step, exchanging / step, flop_share});
}

}  // namespace dfsweep::training
