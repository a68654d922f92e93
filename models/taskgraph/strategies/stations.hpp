/// Stations: what every micro-batch passes in turn, and the time of all micro-batches through all of them.
#pragma once

#include <algorithm>

#include "models/taskgraph/work/part_times.hpp"

namespace dfsweep::taskgraph {

/// Busy fractions of the makespan.
struct BusyFractions {
  double mean = 0.0;   ///< of all devices
  double least = 0.0;  ///< of the group of devices that is busy least
  double most = 0.0;
  double link = 0.0;  ///< of the link that is busy most; 0 without links
};

/// Sums over stations, without keeping them. A station is a group of devices or, with 0 devices, a link.
class Stations {
 public:
  /// `times`: of one micro-batch at one visit. `copies` stations are alike.
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

  /// One micro-batch through all stations once.
  [[nodiscard]] const PartTimes& sum() const { return sum_; }
  [[nodiscard]] const PartTimes& slowest() const { return slowest_; }
  [[nodiscard]] double devices() const { return devices_; }

  /// Makespan of `jobs` micro-batches that pass all stations `rounds` times (once for each layer), by parts of the
  /// chain that decides it:
  ///
  ///     max( rounds S + (jobs-1) s,  rounds jobs s + S - s )          S: sum of the stations, s: the slowest one
  ///
  /// The first where a micro-batch is back before the slowest station has served the others, the second where that
  /// station never rests. This is the schedule of Scheduler for the same tasks: all micro-batches are alike, so
  /// none overtakes another. NaN where a time is.
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
