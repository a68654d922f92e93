/// The condition of `--where`: a muParser expression over the columns and fixed parameters of a result file.
#pragma once

#include <string>
#include <vector>

#include "engine/results/scan.hpp"

namespace dfsweep {

struct RowCondition {
  RowFilter filter;
  bool names_status = false;  ///< then rows that are not ok are wanted or not as the condition says
};

/// An empty expression is the condition that always holds. Throws UsageError if the expression is malformed, names what
/// the file does not have, or compares with a label that no value of the file has. Pre: `file` outlives the result.
[[nodiscard]] RowCondition row_condition(const DatasetReader& file, const std::string& expression);

}  // namespace dfsweep
