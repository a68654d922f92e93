/// The number of a measured cell: in the unit of its metric, or with a unit of its own.
#pragma once

#include <optional>
#include <string_view>

#include "io/csv.hpp"
#include "io/diagnostic.hpp"

namespace dfsweep {

/// What a column of measured numbers holds.
struct MeasuredUnit {
  std::string_view metric;  ///< "step_time", for messages
  std::string_view unit;    ///< UDUNITS, "s"
};

/// In the unit of the metric. Nothing if the cell has no such number, its unit is of another kind, or the number is not
/// above zero; the problem is then recorded.
[[nodiscard]] std::optional<double> measured_value(const CsvCell& cell, const MeasuredUnit& expected,
                                                   const SourcePosition& at, Problems& problems);

}  // namespace dfsweep
