/// The serving estimator: times, rates, memory and cost of serving a transformer.
#pragma once

#include <memory>

#include "models/estimator.hpp"

namespace dfsweep::serving {

/// Documented in docs/models/serving.md.
[[nodiscard]] std::unique_ptr<Estimator> make_serving_estimator();

}  // namespace dfsweep::serving
