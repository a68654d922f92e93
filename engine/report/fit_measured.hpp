/// Measured against predicted, of a fitted law: the best runs of groups beside what laws and surfaces say.
#pragma once

#include <vector>

#include "engine/report/measured.hpp"
#include "io/hdf5/table_file.hpp"

namespace dfsweep::report {

/// The table of that path; nullptr where the file has none with columns.
[[nodiscard]] const TableFileTable* table_named(const TableFile& file, std::string_view path);

/// Optimal learning rate and batch of each group as the laws say that cost least, at groups that they were not fitted
/// to where the fit was validated so; and the least loss of each group as its surfaces say. What the file lacks is left
/// out.
[[nodiscard]] std::vector<MeasuredMetric> fit_measured(const TableFile& file);

}  // namespace dfsweep::report
