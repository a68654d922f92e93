/// The serving estimator: times, rates, memory and cost of serving a transformer.
#pragma once

#include <memory>

#include "models/estimator.hpp"
#include "models/measured_tables/step_times.hpp"

namespace dfsweep::serving {

/// Documented in docs/models/serving.md. `make_step_times`: what reads measured tables where a sweep has them.
[[nodiscard]] std::unique_ptr<Estimator> make_serving_estimator(MakeStepTimes make_step_times);

}  // namespace dfsweep::serving
