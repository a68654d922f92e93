/// Staged pace: the step of a pipeline whose stages share the kernels of a graph.
#pragma once

#include "models/absent.hpp"
#include "models/dataflow/cost/pass_times.hpp"

namespace dfsweep::dataflow {

/// One stage at the rates of a point.
struct StageTimes {
  StepStatus status = StepStatus::ok;
  PassTimes pass;    ///< s; `network` and `total` with the transfer
  Seconds transfer;  ///< per pass, to the next stage
  Bytes memory_used;
  double shortfall = absent;           ///< as in Fit
  const Schedule* schedule = nullptr;  ///< null where none fits
};

/// A pass over the partitions of the stage, joined with its transfer:
///
///     transfer = sent / B + messages * latency * shares.each     total = stage_time(pass, transfer)
///
/// [dfmodel] section 2.2. `network`: [index into MappedWorkload::networks]. Allocates nothing.
[[nodiscard]] StageTimes stage_times(const MappedStage& stage, const PointRates& point,
                                     std::span<const Seconds> network);

/// Micro-batches follow each other at the pace of the slowest stage and pass each of the other stages once besides:
///
///     step = passes * slowest + micro_batch * sum of the other stages + gradients
///
/// which is the time of a pipeline with unbounded buffers, and (passes) (1 + (P - 1)/m) slowest for P equal stages and
/// m micro-batches. Gradients are those of the stage with most. The status is the worst of the stages, memory_used the
/// most. Derived in docs/models/dataflow.md. Pre: mapped.stages is not empty.
[[nodiscard]] Pace pace_of_stages(const MappedWorkload& mapped, const PointRates& point,
                                  std::span<const Seconds> network);

}  // namespace dfsweep::dataflow
