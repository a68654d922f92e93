/// TimeLeft: how long the rest of a run takes, judged by the rate of what it has evaluated.
#pragma once

#include <cstdint>
#include <deque>

namespace dfsweep {

/// The first tenth of the evaluated points does not count: what it had to prepare for all the others, and the time
/// before the first point, do not come again. All the rest counts alike, because expensive points come in clusters: a
/// rate of the latest points alone would be that of their cluster.
class TimeLeft {
 public:
  /// `points` are evaluated `seconds` after the start. Pre: neither ever falls.
  void note(double seconds, std::uint64_t points);
  /// Seconds for `left` more points after what was noted last; infinite while no point is evaluated.
  [[nodiscard]] double of(std::uint64_t left) const;

 private:
  struct Sample {
    double seconds = 0.0;
    std::uint64_t points = 0;
  };
  Sample latest_;
  std::deque<Sample> samples_;  ///< ascending; the rate is counted from the first
};

}  // namespace dfsweep
