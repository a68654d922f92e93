/// Columns of a file of runs that a fit does not use though they look like numbers of parameters or experts.
#pragma once

#include <string>
#include <vector>

#include "engine/fit/runs/run_columns.hpp"
#include "io/csv_blocks.hpp"

namespace dfsweep::fit {

/// A sentence naming them, for files that do not say how many parameters a token activates: without it a mixture of
/// experts counts as dense. A column looks so by its name ("n_active", "experts"), or where the cells of the first
/// block are whole numbers of at least a million that differ. Empty where there is none. Pre: csv.block_count() > 0.
[[nodiscard]] std::vector<std::string> remarks_on_unused(const CsvFile& csv, const RunColumnMap& map);

}  // namespace dfsweep::fit
