/// Checks of one measured table: its columns, its cells, and its times against what the device can do.
#pragma once

#include <span>

#include "models/measured_tables/columns.hpp"
#include "models/measured_tables/problems.hpp"
#include "models/measured_tables/profiles.hpp"

namespace dfsweep::inference {

struct ProfileProblems {
  TableProblems errors;
  TableProblems warnings;
};

/// Columns that must be there, and cells that must be whole numbers, times or known names. Returns whether the rows can
/// be sorted into profiles: each is found by its keys.
bool check_cells(const Table& table, ProfileFile file, ProfileProblems& problems);

/// Times against the peak rate and the bandwidth of the device: a unit that is wrong by a factor of 1000 shows.
/// `device` is null where nothing is known about it; the bounds are then those of any device. Pre: check_cells holds.
void check_rates(const Table& table, ProfileFile file, const DeviceRates* device, ProfileProblems& problems);

}  // namespace dfsweep::inference
