/// The profiled estimator: batch times of inference from measured operator tables.
#pragma once

#include <memory>

#include "models/estimator.hpp"
#include "models/measured_tables/step_times.hpp"

namespace dfsweep::profiled {

/// Uses tables in the layout of Vidur, with exact or Vidur-like predictions. [vidur]; docs/models/profiled.md.
[[nodiscard]] std::unique_ptr<Estimator> make_profiled_estimator();

/// A MakeStepTimes that uses the replicas of this estimator.
[[nodiscard]] std::unique_ptr<StepTimes> make_step_times(const SweepValues& values, const TableChoice& choice);

}  // namespace dfsweep::profiled
