/// The measured tables of a sweep of the estimator `profiled`.
#pragma once

#include "models/estimator.hpp"
#include "models/measured_tables/profiles.hpp"

namespace dfsweep::inference {

/// The tables, and what is wrong with those that the sweep names; others may be as they are: a folder holds the tables
/// of many devices. Pre: `values` has data "profiles".
[[nodiscard]] ProfileReading read_swept_profiles(const SweepValues& values);

}  // namespace dfsweep::inference
