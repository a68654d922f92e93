/// The 96 figures of the Calculon tool, in its order.
/// Source: [calculon].
#pragma once

#include <array>

#include "models/calculon/formulas/batch_times.hpp"
#include "models/calculon/formulas/memory_use.hpp"
#include "models/calculon/formulas/output_infos.hpp"

namespace dfsweep::calculon {

/// All results of one execution.
struct Results {
  BatchInputs inputs;
  MemoryUse memory;
  StagePasses passes;
  BatchTimes times;
  OffloadBandwidths bandwidths;
  ExactCount useful_flops;
};

/// Share of peak in the processing of the step; of processing in the step; and their product, its model FLOP
/// utilization.
struct Efficiencies {
  double compute = 0.0;
  double system = 0.0;
  double total = 0.0;
};
[[nodiscard]] Efficiencies efficiencies(const Results& results);
/// Sequences per second.
[[nodiscard]] double sample_rate(const Results& results);

/// Everything but the outputs themselves. Pre: no rejection rule but those on memory is broken.
[[nodiscard]] Results results_of(const BatchInputs& inputs, const ExactCount& useful);

/// One is undefined for inference, then NaN.
[[nodiscard]] std::array<double, output_count> outputs(const Results& results);

}  // namespace dfsweep::calculon
