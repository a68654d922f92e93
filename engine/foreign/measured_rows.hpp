/// Converts tables of measurements to point lists of the estimators `training` and `serving`.
#pragma once

#include <span>
#include <string>

#include "engine/foreign/row_table.hpp"

namespace dfsweep::foreign {

/// The columns determine the estimator; docs/measured.md, docs/measured-serving.md and docs/measured-serving-load.md
/// list them. Throws UserError if
/// the table is malformed.
[[nodiscard]] MeasuredPoints points_of_measured_rows(std::string table, const std::string& shown,
                                                     const Catalogue& catalogue);

/// Whether the columns are those of measured serving rather than of training.
[[nodiscard]] bool is_serving_table(std::span<const std::string> columns);

/// As points_of_measured_rows, for a table with such columns.
[[nodiscard]] MeasuredPoints points_of_serving_rows(std::string table, const std::string& shown,
                                                    const Catalogue& catalogue);

/// Whether the columns are those of serving under load, with times of first tokens and of tokens.
[[nodiscard]] bool is_serving_load_table(std::span<const std::string> columns);

/// As points_of_measured_rows, for a table with such columns.
[[nodiscard]] MeasuredPoints points_of_serving_load_rows(std::string table, const std::string& shown,
                                                         const Catalogue& catalogue);

}  // namespace dfsweep::foreign
