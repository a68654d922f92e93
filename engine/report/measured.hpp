/// Measured rows beside the rows of a result, on its page.
#pragma once

#include <string>

#include "engine/measurements/joined_rows.hpp"
#include "io/html/page.hpp"
#include "io/json.hpp"

namespace dfsweep::report {

/// The member `measured` of the page's data: the first metric that was measured.
[[nodiscard]] Json measured_json(const MeasuredRows& all);
[[nodiscard]] html::Table measured_table(const MeasuredRows& all);
/// "40 of 42 measured rows are joined; line 7: ...".
[[nodiscard]] std::string measured_summary(const MeasuredRows& all);

}  // namespace dfsweep::report
