/// Messages about measured tables that a point lacks: the table, the degree, and the available alternatives.
#pragma once

#include <string>

#include "models/measured_tables/profiles.hpp"
#include "models/profiled/points/decoded_values.hpp"
#include "models/profiled/points/point.hpp"

namespace dfsweep::profiled {

/// Lookup keys of the tables of a point.
struct WantedTables {
  const ProfiledModel& model;
  const ProfiledDevice& device;
  const ProfiledNetwork& network;
  double tensor_parallel = 1.0;
};

/// One sentence without a full stop; empty where nothing is missing. Pre: the point has a layer and a network.
[[nodiscard]] std::string missing_tables(const ProfiledPoint& point, const WantedTables& wanted,
                                         const ProfileSet& profiles);

}  // namespace dfsweep::profiled
