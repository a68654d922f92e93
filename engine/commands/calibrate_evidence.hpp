/// What left-out rows say about classes of rows, and which rows a fit calls infeasible: as tables, text and JSON.
#pragma once

#include <string>

#include "engine/calibration/calibration.hpp"
#include "engine/tables/table.hpp"
#include "io/json.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

/// A line for each class with rows: their number, the median of the error, the interval of 90 % and how often it held.
[[nodiscard]] DataTable classes_table(const CalibrationReport& report);

/// How many rows that ran are called infeasible before and after; empty where memory was not fitted.
[[nodiscard]] std::string feasibility_text(const CalibrationReport& report, const Terminal& terminal);
[[nodiscard]] JsonObject feasibility_json(const Feasibility& feasibility);

}  // namespace dfsweep
