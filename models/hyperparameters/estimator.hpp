/// The hyperparameters estimator: optimal learning rate and batch size by a law, and the excess loss away from the
/// optimum.
#pragma once

#include <memory>

#include "models/estimator.hpp"

namespace dfsweep::hyperparameters {

/// Documented in docs/models/hyperparameters.md.
[[nodiscard]] std::unique_ptr<Estimator> make_hyperparameters_estimator();

}  // namespace dfsweep::hyperparameters
