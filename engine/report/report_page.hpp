/// The page of a report: heading, notices, counts, plain tables and data.
#pragma once

#include <optional>

#include "engine/report/report.hpp"
#include "engine/results/open_result.hpp"
#include "io/html/page.hpp"
#include "io/json.hpp"

namespace dfsweep::report {

/// `further`: members that the data have besides those of the report. `progress`: of a run that is not finished.
[[nodiscard]] html::Page report_page(const Report& report, const std::optional<BlockProgress>& progress,
                                     JsonObject further = {});

}  // namespace dfsweep::report
