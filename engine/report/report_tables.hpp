/// The plain tables of a page: what it says to readers without scripts.
#pragma once

#include <vector>

#include "engine/report/report.hpp"
#include "io/html/page.hpp"

namespace dfsweep::report {

/// Best rows, fronts of all rows, rows by status; those that have rows.
[[nodiscard]] std::vector<html::Table> report_tables(const Report& report);

}  // namespace dfsweep::report
