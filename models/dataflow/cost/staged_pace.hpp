/// Staged pace: the time of a step in a pipeline whose stages share the kernels of a graph.
#pragma once

#include "models/absent.hpp"
#include "models/dataflow/cost/pass_times.hpp"

namespace dfsweep::dataflow {

/// Times of one stage at the rates of a point.
struct StageTimes {
  StepStatus status = StepStatus::ok;
  PassTimes pass;    ///< `network` and `total` include the transfer
  Seconds transfer;  ///< transfer to the next stage, per pass
  Bytes memory_used;
  double shortfall = absent;           ///< as in Fit
  const Schedule* schedule = nullptr;  ///< null where no schedule fits
};

/// The pass over the partitions of the stage, combined with its transfer:
///
///     transfer = sent / B + messages * latency * shares.each     total = stage_time(pass, transfer)
///
/// [dfmodel] section 2.2. `network`: [index into MappedWorkload::networks]. Allocates nothing.
[[nodiscard]] StageTimes stage_times(const MappedStage& stage, const PointRates& point,
                                     std::span<const NetworkTime> network);

/// The slowest stage limits the throughput; each other stage adds one micro-batch to fill or drain:
///
///     step = passes * slowest + micro_batch * sum of the other stages + gradients
///
/// This is the time of a pipeline with unbounded buffers; for P equal stages and m micro-batches it is passes (1 + (P -
/// 1)/m) slowest. Gradients and memory_used are maxima over the stages, the status is the worst. Derived in
/// docs/models/dataflow.md. Pre: mapped.stages is not empty.
[[nodiscard]] Pace pace_of_stages(const MappedWorkload& mapped, const PointRates& point,
                                  std::span<const NetworkTime> network);

}  // namespace dfsweep::dataflow
