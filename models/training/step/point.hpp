/// TrainingPoint: everything that one estimate of a training step needs.
#pragma once

#include "models/training/communication/network.hpp"
#include "models/training/kernels/accelerator.hpp"
#include "models/training/kernels/software.hpp"
#include "models/training/workload/architecture.hpp"
#include "models/training/workload/execution.hpp"

namespace dfsweep::training {

struct TrainingPoint {
  Architecture architecture;
  Execution execution;
  Accelerator accelerator;
  Network network;
  Software software;
};

}  // namespace dfsweep::training
