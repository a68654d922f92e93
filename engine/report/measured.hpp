/// Measured against predicted on a page: rows beside those of a result; of a fitted law the best runs of groups.
#pragma once

#include <string>
#include <vector>

#include "engine/measurements/joined_rows.hpp"
#include "io/hdf5/table_file.hpp"
#include "io/html/page.hpp"
#include "io/json.hpp"

namespace dfsweep::report {

/// One item of the member `measured` of the page's data.
[[nodiscard]] Json measured_json(const MeasuredMetric& measured);
[[nodiscard]] html::Table measured_table(const MeasuredMetric& measured);
/// "40 of 42 measured rows have a predicted step_time. line 7: ...".
[[nodiscard]] std::string measured_summary(const MeasuredRows& all);

/// The table of that path; nullptr where the file has none with columns.
[[nodiscard]] const TableFileTable* table_named(const TableFile& file, std::string_view path);

/// Optimal learning rate and batch of each group as the laws say that cost least, at groups that they were not fitted
/// to where the fit was validated so; and the least loss of each group as its surfaces say. What the file lacks is left
/// out.
[[nodiscard]] std::vector<MeasuredMetric> fit_measured(const TableFile& file);

}  // namespace dfsweep::report
