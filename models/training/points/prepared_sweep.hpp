/// Sweeps under the physical convention: evaluation of blocks of points, and explanation of one.
#pragma once

#include <memory>

#include "models/estimator.hpp"

namespace dfsweep::training {

/// Throws InvalidValues. Pre: is_physical(values); `values` outlives the result.
[[nodiscard]] std::unique_ptr<PreparedSweep> prepare_physical(const SweepValues& values);

}  // namespace dfsweep::training
