/// DataflowPoint: one point of the dataflow estimator written by parameter names, for tests.
#pragma once

#include <string>

#include "tests/support/estimator_sweep.hpp"

namespace dfsweep::testing {

class DataflowPoint : public EstimatorSweep {
 public:
  DataflowPoint();
};

/// Entries of the catalogue's kinds, in base units.
[[nodiscard]] Entry device_entry(double cores, double width, double height, double frequency, double sram, double price,
                                 double power);
[[nodiscard]] Entry memory_entry(double bandwidth, double power_per_bandwidth, double capacity = 1099511627776.0);
/// Prices of 2 and 24 USD per GB/s for links and switches, 0.052 W per GB/s for switches.
[[nodiscard]] Entry interconnect_entry(double bandwidth, double link_power_per_bandwidth, double latency = 0.0);
/// Letters r, f, s for ring, fully_connected, switch: "rs" is a DGX-1.
[[nodiscard]] Entry topology_entry(const std::string& letters);
[[nodiscard]] Entry transformer_entry(double hidden, double heads, double layers, double sequence_length,
                                      double global_batch);

/// A point that lacks its model: 16 chips in three dimensions of rings, with links of 1 GB/s and 1 us.
[[nodiscard]] DataflowPoint sixteen_chips();

}  // namespace dfsweep::testing
