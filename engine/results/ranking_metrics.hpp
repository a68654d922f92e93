/// Metrics that rank the rows of a result where the user names none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/results/result_rows.hpp"

namespace dfsweep {

/// Metrics that the estimator puts first, as far as the file has them.
[[nodiscard]] std::vector<const DatasetColumn*> headline_columns(const DatasetReader& file);

/// Metrics that may rank the rows; the first one that has values does. The metric that a search minimised or maximised;
/// else the estimator's first ones; of estimators that name none, the file's first one.
[[nodiscard]] std::vector<const DatasetColumn*> ranking_metrics(const DatasetReader& file);

/// Point of the best row by the first ranking metric with values; nothing where no row has a value.
[[nodiscard]] std::optional<std::uint64_t> best_point(const DatasetReader& file);

}  // namespace dfsweep
