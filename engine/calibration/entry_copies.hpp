/// Entry copies: splits an entry that rows use on several machines into one copy per machine.
#pragma once

#include <string>
#include <string_view>

#include "engine/calibration/measured_sweep.hpp"

namespace dfsweep {

/// Whether all rows name the same entry (or none), and `column` ("system") has several values.
[[nodiscard]] bool is_shared_entry(const MeasuredSweep& sweep, std::string_view column);

/// Copies the entry for each value of `column` ("serving-default-dgx-h100"), so that each copy is corrected separately.
/// The original entry is kept for corrections that all rows share, but no row names it. Pre: the rows have this column,
/// as a parameter or as a label.
void copy_entries(MeasuredSweep& sweep, std::string_view column);

}  // namespace dfsweep
