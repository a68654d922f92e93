/// Sweeps that are prepared: evaluation of blocks of points, and explanation of one.
#pragma once

#include <memory>

#include "models/estimator.hpp"

namespace dfsweep::training {

/// Throws InvalidValues. Pre: `values` outlives the result.
[[nodiscard]] std::unique_ptr<PreparedSweep> prepare_sweep(const SweepValues& values);

}  // namespace dfsweep::training
