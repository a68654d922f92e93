/// Step sections: where the time of a training step goes, and the way from the peak rate to what is achieved.
#pragma once

#include "models/explanation.hpp"
#include "models/training/step/estimate.hpp"

namespace dfsweep::training {

/// The parts of the step, in seconds and as shares.
[[nodiscard]] Explanation time_section(const TimeBreakdown& time);

/// A waterfall of shares of the peak rate: each part takes its share of the step away. What kernels lose is the time of
/// both passes beyond useful FLOP / peak; what is left at the end is the model FLOP utilization with causal attention.
[[nodiscard]] Explanation utilization_section(const StepEstimate& estimate);

}  // namespace dfsweep::training
