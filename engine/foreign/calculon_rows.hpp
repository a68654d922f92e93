/// Rows of executions, as tables of the Calculon tool hold them, as a point list of the estimator `training`.
#pragma once

#include <string>

namespace dfsweep::foreign {

struct PointList {
  std::string text;  ///< CSV, one line per row, in order
  std::size_t points = 0;
};

/// The table needs columns `model`, `system` and the 23 inputs of an execution; it may have others. `shown` names the
/// file in messages. Throws UserError with all problems.
[[nodiscard]] PointList points_of_rows(std::string table, const std::string& shown);

}  // namespace dfsweep::foreign
