/// ToyEstimator: a small estimator for tests of the engine: cheap or expensive points, statuses, throwing points,
/// flags.
#pragma once

#include <string_view>

#include "models/estimator.hpp"

namespace dfsweep {

/// Parameters (all have defaults, so that a sweep names only what it varies):
///
///     flavour   choice plain | rich | odd
///     size      integer, bytes held; over `capacity` the status is too_big
///     capacity  real, B
///     rate      real, B/s; replaces field `bandwidth` of `device`
///     device    entry of catalogue `devices`; without one the bandwidth is 1 GB/s
///     seed      integer, enters `noise` only
///     work      integer, steps of arithmetic that one point costs (about 1 ns each)
///     skew      integer; where not 0, one point in `skew` (by a hash of its values) costs 10 000 times `work`
///     outcome   choice normal | infeasible | throws | throws_alone ; throws_alone names the point in its message
///
/// Metrics, with s = size, r = rate, f = 1, 2, 3 by flavour:
///
///     time    = f s / r                      s, lower is better
///     speed   = 1 / time                     1/s, higher is better
///     memory  = s                            byte, also valid where the status is too_big
///     margin  = capacity - s                 byte; not applicable where flavour is odd
///     noise   = a hash of all values in [0, 1), spun `work` times
///     colour  = flavour                      flags plain | rich | odd
///
/// Bounds of searches: memory is at least three quarters of size.
class ToyEstimator final : public Estimator {
 public:
  static constexpr std::uint8_t status_too_big = 2;
  static constexpr std::uint8_t status_infeasible = 3;
  enum Parameter : ParameterIndex { flavour, size, capacity, rate, device, seed, work, skew, outcome, parameter_count };
  enum Metric : MetricIndex { time, speed, memory, margin, noise, colour, metric_count };

  [[nodiscard]] std::string_view name() const override { return "toy"; }
  [[nodiscard]] std::string_view meaning() const override { return "a toy for tests of the engine"; }
  [[nodiscard]] std::uint32_t version() const override { return 1; }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override;
  [[nodiscard]] std::span<const MetricInfo> metrics() const override;
  [[nodiscard]] std::span<const StatusInfo> statuses() const override;
  [[nodiscard]] bool gives_lower_bound(MetricIndex metric, const SweepValues&) const override {
    return metric == memory;
  }
  [[nodiscard]] double seconds_per_point(const SweepValues& values) const override;
  [[nodiscard]] std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override;
};

/// Values for every parameter of the toy: its defaults, all fixed.
[[nodiscard]] SweepValues toy_defaults();

/// Makes `parameter` vary over numbers (or, for choices, texts) in a new code column of its own; returns the column.
std::size_t vary(SweepValues& values, ParameterIndex parameter, std::span<const double> numbers);
std::size_t vary(SweepValues& values, ParameterIndex parameter, std::span<const std::string_view> texts);

}  // namespace dfsweep
