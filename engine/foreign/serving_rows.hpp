/// Tables of measured serving as point lists of the estimator `serving`.
#pragma once

#include <span>
#include <string>

#include "engine/foreign/row_table.hpp"

namespace dfsweep::foreign {

/// Whether the columns are those of measured serving rather than of training.
[[nodiscard]] bool is_serving_table(std::span<const std::string> columns);

/// As points_of_measured_rows, for a table with such columns.
[[nodiscard]] MeasuredPoints points_of_serving_rows(std::string table, const std::string& shown,
                                                    const Catalogue& catalogue);

}  // namespace dfsweep::foreign
