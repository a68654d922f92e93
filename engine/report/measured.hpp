/// Measured rows beside the rows of a result, on its page.
#pragma once

#include <string>

#include "engine/measurements/joined_rows.hpp"
#include "io/html/page.hpp"
#include "io/json.hpp"

namespace dfsweep::report {

/// One item of the member `measured` of the page's data.
[[nodiscard]] Json measured_json(const MeasuredMetric& measured);
[[nodiscard]] html::Table measured_table(const MeasuredMetric& measured);
/// "40 of 42 measured rows have a predicted step_time. line 7: ...".
[[nodiscard]] std::string measured_summary(const MeasuredRows& all);

}  // namespace dfsweep::report
