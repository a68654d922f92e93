/// The condition of `--where`: a muParser expression over the columns and fixed parameters of a result file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/results/scan.hpp"

namespace dfsweep {

/// What a condition has decided so far.
struct RowsDecided {
  bool some_kept = false;
  bool some_dropped = false;
  std::vector<double> examples;  ///< [column of the filter] a value; NaN if all are missing
};

struct RowCondition {
  RowFilter filter;
  bool names_status = false;  ///< the condition uses the status, so rows that are not ok are not removed before it
  std::shared_ptr<const RowsDecided> decided;  ///< by `filter`; null for an empty expression
};

/// Parses the condition; an empty expression is always true. Throws UsageError if the expression is malformed, or uses
/// a name or a label that does not occur in the file. Pre: `file` outlives the result.
[[nodiscard]] RowCondition row_condition(const DatasetReader& file, const std::string& expression);

/// A note where a scan with the condition kept every row or none, and a number without a unit may be the reason: a
/// column that tables print in another unit than the base unit is compared with it. Empty otherwise.
[[nodiscard]] std::string unit_note(const RowCondition& condition, const std::string& expression);

}  // namespace dfsweep
