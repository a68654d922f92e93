/// Schedule: the closed form of the time that a pipeline takes for its micro-batches, and what it keeps in flight.
#pragma once

#include "models/kernels/execution.hpp"
#include "models/units.hpp"

namespace dfsweep::training {

/// Work of one stage for one micro-batch, all of its chunks together.
struct StageWork {
  Seconds forward;
  Seconds backward_input;  ///< with what is computed again for it
  Seconds backward_weight;
  Seconds hidden_in_pair{};  ///< by which both passes of a pair (dual-pipe) are shorter than one after the other
  [[nodiscard]] Seconds total() const { return forward + backward_input + backward_weight; }
};

struct PipelineShape {
  Schedule schedule = Schedule::one_forward_one_backward;
  double stages = 1.0;
  double chunks = 1.0;  ///< per device
  double micro_batches = 1.0;
};

/// Time in which a stage waits, for stages of equal work, F forward, B input gradients, W weight gradients, p stages:
/// one_forward_one_backward  (p-1) (F+B+W) / chunks        [megatron] section 2.2
/// zero_bubble (ZB-H1)       (p-1) (B + max(0, F-W)): F+B-W of [zerobubble] Table 2 while W is not longer than F
/// dual_pipe                 (p/2-1) (F + 2B - min(F,W)): two passes side by side take as long as one after the other;
///                           F+2B-W of [deepseekv3] Table 2 (its B is the whole backward pass) while W is not longer
///                           than F; exact for F = B, else an upper bound
[[nodiscard]] Seconds bubble_time(const PipelineShape& shape, const StageWork& mean);

/// Pairs of passes on the longest path, each of which saves StageWork::hidden_in_pair: max(0, m - p/2 - 2) with
/// dual-pipe, which pairs the forward pass of one end with the backward pass of the other; else 0. Exact for the order
/// of the published implementation. [deepseekv3] section 3.2.1
[[nodiscard]] double paired_micro_batches(const PipelineShape& shape);

/// Micro-batches whose activations the first stage holds at once: min(m, p); interleaved p + (p-1)/chunks; dual-pipe
/// p+1. [megatron] section 2.2, [deepseekv3] table 2
[[nodiscard]] double micro_batches_in_flight(const PipelineShape& shape);

/// Copies of the weights that a device holds: 2 with dual-pipe, 1 otherwise.
[[nodiscard]] double weight_copies(Schedule schedule);

}  // namespace dfsweep::training
