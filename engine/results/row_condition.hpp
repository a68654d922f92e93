/// The condition of `--where`: a muParser expression over the columns and fixed parameters of a result file.
#pragma once

#include <string>
#include <vector>

#include "engine/results/scan.hpp"

namespace dfsweep {

struct RowCondition {
  RowFilter filter;
  bool names_status = false;  ///< the condition uses the status, so rows that are not ok are not removed before it
};

/// Parses the condition; an empty expression is always true. Throws UsageError if the expression is malformed, or uses
/// a name or a label that does not occur in the file. Pre: `file` outlives the result.
[[nodiscard]] RowCondition row_condition(const DatasetReader& file, const std::string& expression);

}  // namespace dfsweep
