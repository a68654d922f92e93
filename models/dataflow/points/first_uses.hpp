/// FirstUses: how many mapped workloads the points of a sweep share.
#pragma once

#include "models/estimator.hpp"

namespace dfsweep::dataflow {

/// Number of mapped workloads of a sweep, and an upper bound on those that `rows` consecutive points need.
struct FirstUses {
  double all = 1.0;
  double in_rows = 1.0;
};
/// Pre: rows >= 1.
[[nodiscard]] FirstUses first_uses(const SweepValues& values, double rows);

}  // namespace dfsweep::dataflow
