/// The calculon estimator: time, memory, cost and energy of a training step of a transformer by the formulas of the
/// Calculon tool.
#pragma once

#include <memory>

#include "models/estimator.hpp"

namespace dfsweep::calculon {

/// Documented in docs/models/calculon.md.
[[nodiscard]] std::unique_ptr<Estimator> make_calculon_estimator();

}  // namespace dfsweep::calculon
