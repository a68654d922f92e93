/// Share of time that is useful on machines whose devices fail: saves, lost work and restarts.
/// Source: docs/models/whole-run.md, failures.
#pragma once

#include "models/units.hpp"

namespace dfsweep::whole_run {

inline constexpr double seconds_per_hour = 3600.0;

/// With a smaller share of useful time a run does not end: one of a minute would take two thousand years.
inline constexpr double least_useful_share = 1e-9;

/// How a run is interrupted and resumed.
struct Interruptions {
  Seconds between;  ///< M: mean time between interruptions of the whole run; infinite where nothing fails
  Seconds save;     ///< d: time of a save that the run waits for
  Seconds restart;  ///< R: from an interruption to the first new step: detection, scheduling, loading
};

/// M of N devices:
///     M = H / N,
/// H: device time per interruption. Spare devices do not compute, so their faults interrupt nothing.
/// Source: docs/models/whole-run.md, failures. Pre: both above 0.
[[nodiscard]] Seconds time_between(double device_hours, double devices);

/// The useful time tau between two saves with the largest useful share, and at least d, because a save ends before the
/// next one begins: tau = M x - d, where
///     x + exp(-x) = 1 + d / M
/// is where the derivative of the useful share is 0. For d much smaller than M this is sqrt(2 d M) - d. 0 where a save
/// takes no time. Pre: no member is negative, M above 0.
/// Source: docs/models/whole-run.md, failures, from [young] and [daly].
[[nodiscard]] Seconds best_interval(const Interruptions& in);

/// Share of time that becomes progress, with useful time tau between two saves:
///     useful = tau / (M exp(R / M) (exp((tau + d) / M) - 1)),
/// exact for exponential times between interruptions, which also hit restarts and saves. Without failures it is
/// tau / (tau + d), without time of saves exp(-R / M) at tau = 0. It is 0 where it is too small for a double.
/// Source: docs/models/whole-run.md, failures, from [daly]. Pre: as above, tau >= 0.
[[nodiscard]] double useful_share(const Interruptions& in, Seconds interval);

}  // namespace dfsweep::whole_run
