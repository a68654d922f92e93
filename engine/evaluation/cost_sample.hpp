/// CostSample: a few kept points, evaluated to see how long they take and how they end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/evaluation/run_cost.hpp"
#include "engine/evaluation/tally.hpp"
#include "engine/plan/plan.hpp"

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
  double preparation_seconds = 0.0;  ///< before the first point
  RunCost cost;                      ///< on this machine, one core
  std::uint64_t evaluated = 0;       ///< points, all rounds together
  Tally tally;                       ///< of the points of the last round
  std::vector<SampledMiss> misses;   ///< of the points of the last round, by status; known at the end
  std::string warnings;              ///< of the preparation, lines

  /// Of a run of `kept` points.
  [[nodiscard]] double seconds(std::uint64_t kept) const {
    return preparation_seconds + cost.filling_seconds + cost.seconds_per_point * static_cast<double>(kept);
  }
};

/// Seconds that the calling thread has computed.
[[nodiscard]] double processor_seconds();

struct CostSampling {
  double enough_seconds = 0.4;
  std::function<void(const CostSample&)> seen;  ///< told what is known after the preparation and after each round
  /// Processor time of this thread: what others do on the machine does not count.
  std::function<double()> now = &processor_seconds;
};

/// Prepares the sweep and evaluates points that are spread evenly over the kept ones, the way a run does: pieces of
/// neighbours, and of a search the searched metric alone. More of them round by round until the next round would take
/// longer than is enough, or all. The last round is evaluated once more with all metrics, for statuses and misses.
/// Throws UserError where the estimator refuses values.
[[nodiscard]] CostSample sample_cost(const Plan& plan, const CostSampling& sampling);

}  // namespace dfsweep
