/// Problems that an estimator found in values, at the places where these were written.
#pragma once

#include <span>
#include <vector>

#include "engine/sweep/sweep.hpp"
#include "io/diagnostic.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

/// A problem of a value is at its place in the sweep; one of a field of an entry at that field where the sweep names a
/// file of the user, and at the value where it names an entry of the catalogue, which others use as it is. Each is told
/// once, and none about a field that could not be read.
[[nodiscard]] std::vector<Problem> placed(std::span<const ValueProblem> problems, const SweepSpec& spec);

/// The same with those in data files, as an error.
[[nodiscard]] UserError to_user_error(const InvalidValues& invalid, const SweepSpec& spec);

}  // namespace dfsweep
