/// CostSample: a few kept points, evaluated to see how long they take and how they end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/evaluation/tally.hpp"
#include "engine/plan/row_source.hpp"

namespace dfsweep {

/// A sampled point without an estimate: of its status the nearest miss, or the first where nothing tells which that is.
struct SampledMiss {
  std::uint8_t status = 0;
  std::uint64_t points = 0;  ///< of the sample, with that status
  std::uint64_t point = 0;
  bool is_nearest = false;
  std::string reason;
};

struct CostSample {
  bool is_prepared = false;          ///< the rest is known once points were evaluated
  double preparation_seconds = 0.0;  ///< and of what the first points that were sampled had to make for all
  double seconds_per_point = 0.0;    ///< on this machine, one core
  std::uint64_t evaluated = 0;       ///< points, all rounds together
  Tally tally;                       ///< of the points of the last round
  std::vector<SampledMiss> misses;   ///< of the points of the last round, by status
  std::string warnings;              ///< of the preparation, lines
};

/// Prepares the sweep and evaluates points that are spread evenly over the kept ones: more of them round by round until
/// a round takes about `enough_seconds`, or all. `seen` gets what is known after the preparation and after each round;
/// reasons of misses only at the end. Throws UserError where the estimator refuses values.
[[nodiscard]] CostSample sample_cost(const SweepSpec& spec, const RowSource& rows, double enough_seconds,
                                     const std::function<void(const CostSample&)>& seen);

}  // namespace dfsweep
