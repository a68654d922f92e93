/// Stations: makespan of micro-batches that visit a sequence of stations (a permutation flow shop).
#pragma once

#include <algorithm>

#include "models/taskgraph/work/part_times.hpp"

namespace dfsweep::taskgraph {

/// Busy fractions of the makespan.
struct BusyFractions {
  double mean = 0.0;   ///< mean over all devices
  double least = 0.0;  ///< of the least busy group of devices
  double most = 0.0;
  double link = 0.0;  ///< of the busiest link; 0 without links
};

/// Running sums over stations. A station is a group of devices or, with 0 devices, a link.
class Stations {
 public:
  /// Adds `copies` equal stations. `times`: of one micro-batch per visit.
  void add(const PartTimes& times, double devices, double copies = 1.0) {
    if (copies == 0.0) return;
    const Seconds total = times.total();
    sum_ = sum_ + copies * times;
    if (!(total <= slowest_.total())) slowest_ = times;
    if (devices == 0.0) {
      link_ = std::max(link_, total);
      return;
    }
    least_ = devices_ == 0.0 ? total : std::min(least_, total);
    most_ = std::max(most_, total);
    devices_ += copies * devices;
    work_ += copies * devices * total;
  }

  /// Times of one micro-batch through all stations once.
  [[nodiscard]] const PartTimes& sum() const { return sum_; }
  [[nodiscard]] const PartTimes& slowest() const { return slowest_; }
  [[nodiscard]] double devices() const { return devices_; }

  /// Makespan of `jobs` micro-batches that visit all stations `rounds` times (once per layer), divided into the parts
  /// of the critical chain:
  ///
  ///     max( rounds S + (jobs-1) s,  rounds jobs s + S - s )          S: sum of the stations, s: the slowest one
  ///
  /// In the first case a micro-batch returns after the slowest station has served the others; in the second case the
  /// slowest station is never idle. This equals the result of Scheduler for the same tasks: all micro-batches are
  /// equal, so none overtakes another. NaN where a time is NaN.
  [[nodiscard]] PartTimes makespan(double jobs, double rounds) const {
    const PartTimes by_latency = rounds * sum_ + (jobs - 1.0) * slowest_;
    PartTimes by_load = (rounds * jobs - 1.0) * slowest_ + sum_;
    return by_load.total() > by_latency.total() ? by_load : by_latency;
  }

  [[nodiscard]] BusyFractions busy(double jobs, double rounds, Seconds whole) const {
    const double visits = jobs * rounds;
    return {visits * (work_ / (devices_ * whole)), visits * (least_ / whole), visits * (most_ / whole),
            visits * (link_ / whole)};
  }

 private:
  PartTimes sum_;
  PartTimes slowest_;
  Seconds link_;
  Seconds least_;
  Seconds most_;
  Seconds work_;  ///< device-seconds
  double devices_ = 0.0;
};

}  // namespace dfsweep::taskgraph
