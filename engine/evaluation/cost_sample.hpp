/// CostSample: time and statuses of a sample of the kept points.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/evaluation/run_cost.hpp"
#include "engine/evaluation/tally.hpp"
#include "engine/plan/plan.hpp"

namespace dfsweep {

/// A sampled point without an estimate: the nearest miss of its status, or the first point if the estimator has no
/// shortfall.
struct SampledMiss {
  std::uint8_t status = 0;
  std::uint64_t points = 0;  ///< number of sampled points with that status
  std::uint64_t point = 0;
  bool is_nearest = false;
  std::string reason;
};

/// Sampled points whose price or power is derived from the parts of a device (docs/models/cost.md).
struct DerivedFigures {
  std::uint64_t points = 0;  ///< ok ones
  std::uint64_t prices = 0;  ///< those with a derived price
  std::uint64_t powers = 0;
};

struct CostSample {
  bool is_prepared = false;          ///< false: preparation has not ended, all else is unknown
  double preparation_seconds = 0.0;  ///< time before the first point
  RunCost cost;                      ///< on one core of this machine
  std::uint64_t evaluated = 0;       ///< points of all rounds
  Tally tally;                       ///< of the last round
  std::vector<SampledMiss> misses;   ///< of the last round, by status; filled at the end
  DerivedFigures derived;            ///< likewise
  std::string warnings;              ///< warnings of the preparation, as lines

  /// Estimated seconds of a run of `kept` points on one core.
  [[nodiscard]] double seconds(std::uint64_t kept) const {
    return preparation_seconds + cost.filling_seconds + cost.seconds_per_point * static_cast<double>(kept);
  }
};

/// CPU time of the calling thread in seconds.
[[nodiscard]] double processor_seconds();

struct CostSampling {
  double enough_seconds = 0.4;
  std::function<void(const CostSample&)> seen;  ///< called after the preparation and after each round
  /// CPU time of this thread, so that other processes do not matter.
  std::function<double()> now = &processor_seconds;
};

/// Prepares the sweep and evaluates points spread evenly over the kept ones, as a run does: in pieces of consecutive
/// points, and in a search the searched metric only. Rounds grow until the next one would exceed the time limit or all
/// points are evaluated. The last round is evaluated again with all metrics, for statuses and misses. Throws UserError
/// if the estimator rejects values.
[[nodiscard]] CostSample sample_cost(const Plan& plan, const CostSampling& sampling);

}  // namespace dfsweep
