/// Sweeps under the physical convention: evaluation of blocks of points, and explanation of one.
#pragma once

#include <memory>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep::training {

/// Whether the points of a sweep are under the physical convention. Conventions are not mixed in one sweep.
[[nodiscard]] bool is_physical(const SweepValues& values);
/// A problem where they are.
[[nodiscard]] std::vector<ValueProblem> problems_of_conventions(const SweepValues& values);

/// Throws InvalidValues. Pre: is_physical(values); `values` outlives the result.
[[nodiscard]] std::unique_ptr<PreparedSweep> prepare_physical(const SweepValues& values);

}  // namespace dfsweep::training
