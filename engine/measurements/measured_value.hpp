/// Parses a measured cell: a number in the unit of its metric, or with its own unit.
#pragma once

#include <optional>
#include <string_view>

#include "io/csv.hpp"
#include "io/diagnostic.hpp"

namespace dfsweep {

/// Metric and unit of a column of measured numbers.
struct MeasuredUnit {
  std::string_view metric;  ///< "step_time", for messages
  std::string_view unit;    ///< UDUNITS, "s"
};

/// The value in the unit of the metric. Records a problem and returns nothing if the cell is not a number, its unit has
/// another dimension, or the number is not positive.
[[nodiscard]] std::optional<double> measured_value(const CsvCell& cell, const MeasuredUnit& expected,
                                                   const SourcePosition& at, Problems& problems);

}  // namespace dfsweep
