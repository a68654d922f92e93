/// The page of a report: heading, notices, counts, plain tables.
#pragma once

#include <optional>
#include <vector>

#include "engine/report/report.hpp"
#include "engine/results/open_result.hpp"
#include "io/html/page.hpp"

namespace dfsweep::report {

/// Without data: see report_json(). `progress`: of a run that is not finished.
[[nodiscard]] html::Page report_page(const Report& report, const std::optional<BlockProgress>& progress);

/// Best rows, fronts of all rows, rows by status; those that have rows.
[[nodiscard]] std::vector<html::Table> report_tables(const Report& report);

}  // namespace dfsweep::report
