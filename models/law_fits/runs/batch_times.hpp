/// What a batch costs in time: from measured seconds per step, the batch with which a group reaches a loss first.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/law_fits/runs/runs.hpp"

namespace dfsweep::law_fits {

/// The runs of one batch of a group, of which some have a measured time.
struct BatchTime {
  double batch_tokens = 0.0;   ///< B
  double learning_rate = 0.0;  ///< of its run with the least loss
  double loss = 0.0;           ///< L_B, least of its runs
  double step_time = 0.0;      ///< t_B, s; median of its runs
  double train_time = 0.0;     ///< T_B = t_B D / B, s
  /// Time to the least loss L* of the group's timed batches, s: T_B (L_B / L*)^(1 / s). NaN without exponent.
  double time_to_least_loss = 0.0;
  /// Loss after the time T* of the batch that has L*: L_B (T_B / T*)^s. NaN without exponent.
  double loss_at_equal_time = 0.0;
};

struct GroupTimes {
  std::size_t group = 0;           ///< in GroupedRuns::groups
  double loss_exponent = 0.0;      ///< s = -d ln L / d ln D over the groups of this recipe, N and Na; NaN: not known
  std::vector<BatchTime> batches;  ///< ascending in B, at least two
  std::size_t least_loss = 0;      ///< place in `batches`; equal values: the smaller batch
  std::size_t fastest = 0;         ///< least time to the least loss; without exponent the least time for D tokens
};

/// `step_times`: [GroupedRuns::file_row] s, NaN where not measured. Groups with fewer than two timed batches are left
/// out.
///
/// More tokens lower the loss as L ~ D^-s near D, so a batch whose loss is higher needs D (L_B / L*)^(1 / s) tokens for
/// L*. The exponent is the slope of least squares through the least losses of groups that differ in D alone. It is not
/// known for a single D, or where the loss does not fall.
[[nodiscard]] std::vector<GroupTimes> batch_times(const GroupedRuns& runs, std::span<const double> step_times);

}  // namespace dfsweep::law_fits
