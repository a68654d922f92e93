/// Entry copies: one entry that rows name on several machines becomes one for each of them.
#pragma once

#include <string>
#include <string_view>

#include "engine/calibration/measured_sweep.hpp"

namespace dfsweep {

/// Whether all rows name one entry (or none), and `column` has several cells: "system".
[[nodiscard]] bool is_shared_entry(const MeasuredSweep& sweep, std::string_view column);

/// Gives rows that differ in `column` their own copies of their entry, "serving-default-dgx-h100", so that the numbers
/// of each may be corrected apart. The entry itself stays, for what all rows share: no row names it any more. Pre: the
/// rows have this column, as a parameter or as words.
void copy_entries(MeasuredSweep& sweep, std::string_view column);

}  // namespace dfsweep
