/// TrainingPoint: everything that one estimate of a training step needs.
#pragma once

#include "models/kernels/execution.hpp"
#include "models/kernels/software.hpp"
#include "models/machine/accelerator.hpp"
#include "models/machine/network.hpp"
#include "models/transformer/architecture.hpp"

namespace dfsweep::training {

struct TrainingPoint {
  Architecture architecture;
  Execution execution;
  Accelerator accelerator;
  Network network;
  Software software;
};

}  // namespace dfsweep::training
