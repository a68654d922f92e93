/// What the values of a sweep give of what points need: a machine, and software that was calibrated.
#pragma once

#include <vector>

#include "models/estimator.hpp"

namespace dfsweep::training {

/// Values that give neither a system nor a device, a memory and links at every point. Some parameters may have no
/// values.
[[nodiscard]] std::vector<ValueProblem> missing_hardware(const SweepValues& values);

/// Whether a metric can be a number in the sweep: expected errors need software that was calibrated, those of the run
/// what they are made of.
[[nodiscard]] bool is_known(MetricIndex metric, const SweepValues& values);

}  // namespace dfsweep::training
