/// The profiled estimator: batch times of inference from measured operator tables.
#pragma once

#include <memory>

#include "models/estimator.hpp"
#include "models/measured_tables/step_times.hpp"

namespace dfsweep::inference {

/// Vidur's tables, read exactly or as Vidur reads them. [vidur]; docs/models/profiled.md.
[[nodiscard]] std::unique_ptr<Estimator> make_profiled_estimator();

/// Step times by its replicas; a MakeStepTimes.
[[nodiscard]] std::unique_ptr<StepTimes> make_step_times(const SweepValues& values, const TableChoice& choice);

}  // namespace dfsweep::inference
