/// The measured tables of a sweep of the estimator `profiled`.
#pragma once

#include "models/estimator.hpp"
#include "models/measured_tables/profile_tables.hpp"

namespace dfsweep::profiled {

/// Pre: `values` has data "profiles".
[[nodiscard]] const ProfileTables& swept_tables(const SweepValues& values);

/// Problems of tables that the sweep uses; those of other tables in the folder are ignored. Pre: as above.
[[nodiscard]] TableFindings findings_of(const SweepValues& values);

}  // namespace dfsweep::profiled
