/// `dfsweep compare`: its tables as text and JSON, and its picture.
#pragma once

#include <cstddef>
#include <string>

#include "engine/measurements/joined_rows.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

/// A table of errors for each metric, its `worst` rows, and the rows that have no prediction.
[[nodiscard]] std::string comparison_text(const MeasuredRows& measured, std::size_t worst, const Terminal& terminal);
[[nodiscard]] std::string comparison_json(const MeasuredRows& measured, std::size_t worst);

/// Predicted over measured with the diagonal and a factor of 1.3 to both sides, a colour for each group. Throws
/// UsageError where no row has a prediction.
[[nodiscard]] std::string comparison_svg(const MeasuredMetric& metric);

}  // namespace dfsweep
