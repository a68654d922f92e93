/// Gradient reduction over the data-parallel group and how much of it hides behind the backward pass.
#pragma once

#include "models/calculon/formulas/stage_passes.hpp"

namespace dfsweep::calculon {

/// Gradient reduction of the data-parallel group, in s; bandwidths in B/s.
struct DataComm {
  double link = 0.0;
  double exposed = 0.0;
  double chunk_bandwidth = 0.0;  ///< that hides all chunks but the last
  double tail_bandwidth = 0.0;   ///< that hides the last chunk
};

/// Zero without training or with one replica.
[[nodiscard]] DataComm data_comm(const BatchInputs& inputs, const StagePasses& passes);

}  // namespace dfsweep::calculon
