/// The training estimator: time, memory, cost and energy of a training step of a transformer.
#pragma once

#include <memory>

#include "models/estimator.hpp"

namespace dfsweep::training {

/// Documented in docs/models/training.md.
[[nodiscard]] std::unique_ptr<Estimator> make_training_estimator();

}  // namespace dfsweep::training
