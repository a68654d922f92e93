/// TimeLeft: estimates the remaining time of a run from its rate so far.
#pragma once

#include <cstdint>
#include <deque>

namespace dfsweep {

/// The first tenth of the evaluated points is ignored, because it includes one-off costs (start-up, filling of caches).
/// All later points have the same weight: expensive points come in clusters, so the rate of the latest points alone
/// would be biased.
class TimeLeft {
 public:
  /// Records that `points` were evaluated `seconds` after the start. Pre: both are non-decreasing.
  void note(double seconds, std::uint64_t points);
  /// Estimated seconds for `left` more points; infinite while no point is evaluated.
  [[nodiscard]] double of(std::uint64_t left) const;

 private:
  struct Sample {
    double seconds = 0.0;
    std::uint64_t points = 0;
  };
  Sample latest_;
  std::deque<Sample> samples_;  ///< ascending; the rate is measured from the first one
};

}  // namespace dfsweep
