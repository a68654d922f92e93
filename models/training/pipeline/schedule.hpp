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

/// The passes `factor` times as long; what a pair hides stays.
[[nodiscard]] StageWork operator*(double factor, const StageWork& work);

/// Work of the stages of a pipeline: the last one is the heaviest, all others are equal.
struct PipelineWork {
  StageWork heaviest;
  StageWork other;
};

/// Of stages that all have the same work.
[[nodiscard]] constexpr PipelineWork equal_stages(const StageWork& stage) {
  return {stage, stage};
}

struct PipelineShape {
  Schedule schedule = Schedule::one_forward_one_backward;
  double stages = 1.0;
  double chunks = 1.0;         ///< per device
  double micro_batches = 1.0;  ///< a fraction where the last one is smaller
};

/// Whether a schedule can run a pipeline, and what it lacks.
enum class ScheduleFit : std::uint8_t {
  runs,
  not_interleaved,        ///< zero_bubble and dual_pipe with more than one chunk
  too_few_micro_batches,  ///< interleaved: fewer than stages; dual_pipe: fewer than twice the stages
  odd_number,             ///< dual_pipe: of stages or of micro-batches
};

/// One stage runs under any schedule. Interleaving: chunks need groups of at least as many micro-batches as stages
/// (megatron/core/pipeline_parallel/schedules.py of Megatron-LM); dual_pipe: both numbers are even, micro-batches at
/// least twice the stages (dualpipe/dualpipe.py of DualPipe). [megatron] section 2.2, [deepseekv3] section 3.2.1
[[nodiscard]] ScheduleFit schedule_fit(const PipelineShape& shape);

/// Time in which the heaviest stage waits: the pipeline takes m times its work and this. p stages, m micro-batches,
/// v chunks; f, b, w: forward pass, input gradients and weight gradients of the other stages, F, B, W of the heaviest:
/// one_forward_one_backward  (p-1) (f+b+w) / v             [megatron] section 2.2
/// zero_bubble (ZB-H1)       the longest of four paths less m (F+B+W), [zerobubble] section 3:
///     the heaviest stage    (p-1) f + m (F+B+W)
///     the first stage       (p-1) (f+b) + F + B + (m-1) b + m w + max(0, m-p) f
///     a drain to stage s    (p-1) f + m (F+B) + max(0, m-p) W + (p-1-s) b + (s+1) w, s = 0 and s = min(p-2, m-1)
///     (p-1) (b + max(0, f-w)) where stages are equal, f <= b and m >= p
/// dual_pipe, q = p/2-1      q max(0, B-W) + max(2q F, (q-1) F + q B): 2q F where F = B = W. All stages count as the
///     heaviest. [deepseekv3] section 3.2.1 and its published implementation
/// Exact for these stages. Pre: schedule_fit is `runs`; no stage has more work than the heaviest.
[[nodiscard]] Seconds bubble_time(const PipelineShape& shape, const PipelineWork& work);

/// Pairs of passes on the longest path, each of which saves StageWork::hidden_in_pair: max(0, m - p/2 - 2) with
/// dual-pipe, which pairs the forward pass of one end with the backward pass of the other; else 0. Exact for the order
/// of the published implementation. [deepseekv3] section 3.2.1
[[nodiscard]] double paired_micro_batches(const PipelineShape& shape);

/// Time of all micro-batches: m times the heaviest stage, and the bubble, less what pairs hide. Pre: as for
/// bubble_time.
[[nodiscard]] Seconds pipeline_time(const PipelineShape& shape, const PipelineWork& work);

/// Micro-batches n that an interleaved pipeline works off in a chunk before it goes to the next one: the smallest
/// number from p on that leaves no rest of m, or a rest of at least p. Pre: m >= p.
[[nodiscard]] double interleaved_group(const PipelineShape& shape);

/// Micro-batches whose activations an end of the pipeline holds at once, until their weights have their gradients.
struct InFlight {
  double first = 1.0;
  double last = 1.0;  ///< the stage of the output layer
};

/// one_forward_one_backward: first min(m, p), last 1. Interleaved in groups of n: first n + (2p-1-n)/v, last
/// n - (n-1)/v, at most m. zero_bubble: min(m, p), both. dual_pipe: p+1, both. [megatron] section 2.2, [deepseekv3]
/// table 2
[[nodiscard]] InFlight micro_batches_in_flight(const PipelineShape& shape);

/// Copies of the weights that a device holds: 2 with dual-pipe where there is more than one stage, 1 otherwise.
[[nodiscard]] double weight_copies(const PipelineShape& shape);

}  // namespace dfsweep::training
