/// Converts tables of measurements to point lists of the estimators `training` and `serving`.
#pragma once

#include <span>
#include <string>

#include "engine/foreign/row_table.hpp"

namespace dfsweep::foreign {

/// The columns determine the estimator; docs/measured.md and docs/measured-serving.md list them. Throws UserError if
/// the table is malformed.
[[nodiscard]] MeasuredPoints points_of_measured_rows(std::string table, const std::string& shown,
                                                     const Catalogue& catalogue);

/// Whether the columns are those of measured serving rather than of training.
[[nodiscard]] bool is_serving_table(std::span<const std::string> columns);

/// As points_of_measured_rows, for a table with such columns.
[[nodiscard]] MeasuredPoints points_of_serving_rows(std::string table, const std::string& shown,
                                                    const Catalogue& catalogue);

}  // namespace dfsweep::foreign
