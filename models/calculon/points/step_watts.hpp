/// Average watts of a device over a step of Calculon. Source: docs/models/cost.md.
#pragma once

#include "models/calculon/formulas/outputs.hpp"
#include "models/cost/bill.hpp"
#include "models/cost/step_power.hpp"

namespace dfsweep::calculon {

/// cost::training_power() of the shares of the step: processing with the FLOP that it executes, exchanges and
/// offloading that nothing hides, and the bubble. What is done again has the share of the peak of the forward pass; the
/// optimizer has no products. Pre: no rejection rule but those on memory is broken.
[[nodiscard]] inline Watts average_watts(const cost::Bill& bill, const Results& results) {
  const BatchInputs& in = results.inputs;
  const BatchTimes& t = results.times;
  const BlockSums& block = in.block;
  const double again = t.forward > 0.0 ? t.recompute / t.forward : 0.0;
  const double flops =
      in.shape.blocks * in.shape.micro_batches *
      ((1.0 + again) * block.forward.flops + block.activation_gradient.flops + block.weight_gradient.flops);
  const double peak = in.system.matrix[static_cast<std::size_t>(in.execution.datatype)]->peak;
  const double computing = t.forward + t.backward + t.recompute + t.optimizer;
  const double exchanging =
      t.tensor_exposed + t.redo_exposed + t.pipeline + t.data.exposed + t.forward_offload + t.backward_offload;
  return cost::training_power({}, {bill.idle, bill.limit},
                              {computing / t.total, exchanging / t.total, flops / (peak * computing)});
}

}  // namespace dfsweep::calculon
