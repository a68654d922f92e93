/// ProfiledSweep: points of the profiled estimator written by parameter names, on small tables, for tests.
#pragma once

#include <string>

#include "tests/support/estimator_sweep.hpp"

namespace dfsweep::testing {

class ProfiledSweep : public EstimatorSweep {
 public:
  /// A model of four layers on device "chip", joined by network "net" of four chips in a node, with tables of both.
  ProfiledSweep();
};

/// The model of the sweep: its four layers have the shape of its tables.
[[nodiscard]] Entry profiled_model();

/// Fields of a device: its peak and the bandwidth and capacity of its memory.
[[nodiscard]] Entry profiled_device(const std::string& name, double capacity);

}  // namespace dfsweep::testing
