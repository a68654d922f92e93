/// Former spellings of sweeps: conventions that have become estimators of their own.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/diagnostic.hpp"
#include "io/document.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

/// Former and present names of columns of a point list.
using RenamedColumns = std::vector<std::pair<std::string, std::string>>;

/// A sweep as it is written today.
struct CurrentSpelling {
  Document sweep;
  std::vector<Problem> notes;             ///< what was replaced, and by what
  std::vector<std::string> left_columns;  ///< of the point list: to be left alone
  RenamedColumns renamed_columns = {};    ///< of the point list
};

/// Replaces what a sweep file says in a former spelling: `convention` of an estimator that has no such parameter any
/// more, with parameters at their defaults that this convention did not read. It may stand in [parameters], in
/// [[together]] and in a column of the point list (relative to `base`), with one value throughout. Names of estimators
/// are replaced by those of `known` alone. A list of requests in `requests` of `profiled` is now in `batch_requests`.
/// Throws UserError where the values would be sweeps of two estimators.
[[nodiscard]] CurrentSpelling in_current_spelling(Document sweep, const std::filesystem::path& base,
                                                  std::span<const Estimator* const> known);

}  // namespace dfsweep
