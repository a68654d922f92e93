/// The measured tables of a sweep of the estimator `profiled`.
#pragma once

#include "models/estimator.hpp"
#include "models/measured_tables/profiles.hpp"

namespace dfsweep::profiled {

/// The tables, with the problems of tables that the sweep uses; problems of other tables in the folder are ignored.
/// Pre: `values` has data "profiles".
[[nodiscard]] ProfileReading read_swept_profiles(const SweepValues& values);

}  // namespace dfsweep::profiled
