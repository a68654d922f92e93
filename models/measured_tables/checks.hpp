/// Checks of one measured table: its columns, its cells, and its times against what the device can do.
#pragma once

#include <span>

#include "models/measured_tables/columns.hpp"
#include "models/measured_tables/problems.hpp"
#include "models/measured_tables/profiles.hpp"

namespace dfsweep {

struct ProfileProblems {
  TableProblems errors;
  TableProblems warnings;
};

/// Checks required columns, and cells that must be whole numbers, times or known names. Returns whether the key columns
/// are valid, so that the rows can be sorted into profiles.
bool check_cells(const Table& table, ProfileFile file, ProfileProblems& problems);

/// Checks times against peak rate and bandwidth of the device, which detects units wrong by a factor of 1000. `device`:
/// null where unknown; then bounds for any device are used. Pre: check_cells returned true.
void check_rates(const Table& table, ProfileFile file, const DeviceRates* device, ProfileProblems& problems);

}  // namespace dfsweep
