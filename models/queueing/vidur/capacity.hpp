/// The search for the capacity: the highest arrival rate at which the delay of requests stays within a limit.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "models/absent.hpp"
#include "models/units.hpp"

namespace dfsweep::vidur {

struct CapacityLimits {
  double start_rate = 1.0;     ///< requests/s of the first run
  Seconds delay{5.0};          ///< limit of the quantile of the delay from arrival to the first batch
  double granularity = 0.025;  ///< relative width at which the search ends
  std::uint32_t most_runs = 20;
};

struct CapacityStep {
  double rate = 0.0;  ///< requests/s
  Seconds delay;      ///< the quantile
  bool is_within = false;
};

struct Capacity {
  double rate = absent;  ///< requests/s; NaN where no run kept the limit
  std::vector<CapacityStep> steps;
};

/// Halves and widens an interval of rates. `delay_at(rate)` runs the simulation and returns the quantile of the delay
/// as an optional number of seconds; a run without a result ends the search. The upper bound may fall below the lower
/// one, as in [vidur] capacity_search.py.
template <class DelayAt>
[[nodiscard]] Capacity find_capacity(const CapacityLimits& limits, const DelayAt& delay_at) {
  constexpr double far_too_late = 500.0;  // s
  Capacity found;
  double left = 0.0;
  double right = 2.0 * limits.start_rate;
  double rate = 0.0;
  double low_fail = std::numeric_limits<double>::infinity();
  const double limit = limits.delay.value();
  for (std::uint32_t run = 0; run < limits.most_runs; ++run) {
    if (std::abs(left - right) < limits.granularity * rate) break;
    rate = (left + right) / 2.0;
    const std::optional<double> delay = delay_at(rate);
    if (!delay) break;
    const bool is_within = *delay <= limit;
    found.steps.push_back({rate, Seconds{*delay}, is_within});
    if (is_within) {
      found.rate = rate;
      if (*delay < limit / 8.0)
        right = std::min(4.0 * right, low_fail);
      else if (*delay < limit / 4.0 || rate > 0.8 * right)
        right = std::min(2.0 * right, low_fail);
      left = rate;
    } else {
      right = *delay > far_too_late ? rate / 2.0 : rate;
      low_fail = std::min(low_fail, rate);
    }
  }
  return found;
}

}  // namespace dfsweep::vidur
