/// CostSample: a few kept points, evaluated to see how long they take and how they end.
#pragma once

#include <cstdint>
#include <string>

#include "engine/evaluation/tally.hpp"
#include "engine/plan/row_source.hpp"

namespace dfsweep {

struct CostSample {
  double preparation_seconds = 0.0;  ///< and of what the first points that were sampled had to make for all
  double seconds_per_point = 0.0;    ///< on this machine, one core
  Tally tally;                       ///< of the points sampled
  std::string warnings;              ///< of the preparation, lines
};

/// Prepares the sweep and evaluates points that are spread evenly over the kept ones: more of them until that takes
/// about `enough_seconds`, or all. Throws UserError where the estimator refuses values.
[[nodiscard]] CostSample sample_cost(const SweepSpec& spec, const RowSource& rows, double enough_seconds);

}  // namespace dfsweep
