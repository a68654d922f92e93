/// Times of a whole batch: from sums of a block to the step, its bubble and its communication.
#pragma once

#include "models/calculon/formulas/data_comm.hpp"

namespace dfsweep::calculon {

/// Of a batch, in s. Exposed times are those that lengthen the step.
struct BatchTimes {
  double forward = 0.0;
  double backward = 0.0;
  double optimizer = 0.0;
  double recompute = 0.0;
  double redo_link = 0.0;
  double redo_exposed = 0.0;
  double bubble = 0.0;
  double tensor_link = 0.0;
  double tensor_exposed = 0.0;
  double pipeline = 0.0;  ///< never hidden
  DataComm data;
  double forward_offload = 0.0;
  double backward_offload = 0.0;
  double total = 0.0;
};

[[nodiscard]] BatchTimes batch_times(const BatchInputs& inputs, const StagePasses& passes);

}  // namespace dfsweep::calculon
