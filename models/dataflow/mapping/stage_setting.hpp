/// Stage setting: the stage problem that a sharded workload poses on a system.
#pragma once

#include <span>
#include <vector>

#include "models/dataflow/cost/pass_times.hpp"
#include "models/dataflow/search/stage_problem.hpp"

namespace dfsweep::dataflow {

/// Kernels that lie in one stage, whatever it is.
using StageUnit = std::vector<std::size_t>;

/// How the units of a stage are executed.
enum class UnitExecution : std::uint8_t {
  in_turn,   ///< each as a partition of its own
  together,  ///< in partitions to be chosen, so that only what no partition avoids counts
};

struct StageSetting {
  std::span<const StageUnit> units;
  UnitExecution execution = UnitExecution::in_turn;
  bool units_keep_order = false;
  PhaseOrder phase_order = PhaseOrder::free;  ///< but for `free`, no backward kernel in a stage before a forward one
  Weights weights = Weights::streamed;        ///< resident: unless those of a kernel alone exceed the SRAM
  const hardware::Device* device = nullptr;   ///< null without the cycle model
};

/// The problem whose kernels are the units. An infinite compute time says that a unit has more kernels than the chip
/// has cores.
[[nodiscard]] StageProblem stage_problem_of(const PartitionModel& model, const PointRates& point,
                                            const StageSetting& setting);

/// DRAM that a stage keeps between passes for a kernel, B: weights, and with those of forward kernels in training
/// gradients and optimizer state.
[[nodiscard]] Bytes held_bytes(const PartitionModel& model, const Convention& convention, std::size_t kernel);

/// DRAM for data of the whole machine (tables, matrix) of a chip of a stage with these kernels, B. HPL and FFT work on
/// it in every stage, DLRM where embeddings are read.
[[nodiscard]] Bytes machine_bytes_of_stage(const PartitionModel& model, std::span<const std::size_t> kernels);

/// Bytes that a chip of the stage sends to the next one per pass, and that reach, leave or pass through the stage.
struct StageTraffic {
  Bytes sent;
  Bytes alive;
};
/// `stage`: [kernel].
[[nodiscard]] StageTraffic traffic_of_stage(const PartitionModel& model, const StageOfKernel& stage,
                                            std::size_t number);

}  // namespace dfsweep::dataflow
