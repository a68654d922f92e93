/// Maps problems that an estimator found in values to positions in files.
#pragma once

#include <span>
#include <vector>

#include "engine/sweep/sweep.hpp"
#include "io/diagnostic.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

/// A problem of a value gets its position in the sweep. A problem of a field of an entry gets the position of the field
/// if the entry is a file of the user; for an entry of the catalogue it gets the position of the name in the sweep,
/// because the user cannot edit the catalogue. Duplicates and problems of unreadable fields are removed.
[[nodiscard]] std::vector<Problem> placed(std::span<const ValueProblem> problems, const SweepSpec& spec);

/// The same, with the problems in data files, as an error.
[[nodiscard]] UserError to_user_error(const InvalidValues& invalid, const SweepSpec& spec);

}  // namespace dfsweep
