/// Gradient reduction over the data-parallel group and how much of it hides behind the backward pass.
#pragma once

#include "models/training/calculon/batch_times.hpp"

namespace dfsweep::training::calculon {

/// Zero without training or with one replica.
[[nodiscard]] DataComm data_comm(const BatchInputs& inputs, const StagePasses& passes);

}  // namespace dfsweep::training::calculon
