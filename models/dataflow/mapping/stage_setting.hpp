/// Stage setting: the stage problem of a sharded workload on a system.
#pragma once

#include <span>
#include <vector>

#include "models/dataflow/cost/pass_times.hpp"
#include "models/dataflow/search/stage_problem.hpp"

namespace dfsweep::dataflow {

/// Kernels that must be in the same stage.
using StageUnit = std::vector<std::size_t>;

/// How the units of a stage are executed.
enum class UnitExecution : std::uint8_t {
  in_turn,   ///< each unit as a separate partition
  together,  ///< in partitions chosen later, so only unavoidable costs count
};

struct StageSetting {
  std::span<const StageUnit> units;
  UnitExecution execution = UnitExecution::in_turn;
  bool units_keep_order = false;
  PhaseOrder phase_order =
      PhaseOrder::free;                 ///< unless `free`, no backward kernel is in a stage before a forward kernel
  Weights weights = Weights::streamed;  ///< resident, unless the weights of one kernel exceed the SRAM
  const Device* device = nullptr;       ///< null without the cycle model
};

/// The problem whose kernels are the units. An infinite compute time means that a unit has more kernels than the chip
/// has cores.
[[nodiscard]] StageProblem stage_problem_of(const PartitionModel& model, const PointRates& point,
                                            const StageSetting& setting);

/// DRAM in B that a stage keeps for a kernel between passes: weights and, for forward kernels in training, gradients
/// and optimizer state.
[[nodiscard]] Bytes held_bytes(const PartitionModel& model, const Convention& convention, std::size_t kernel);

/// DRAM in B for machine-wide data (tables, matrix), per chip of a stage with these kernels. HPL and FFT use it in
/// every stage, DLRM only where embeddings are read.
[[nodiscard]] Bytes machine_bytes_of_stage(const PartitionModel& model, std::span<const std::size_t> kernels);

/// Bytes per pass that a chip sends to the next stage, and bytes of tensors that enter, leave or pass through the
/// stage.
struct StageTraffic {
  Bytes sent;
  Bytes alive;
};
/// `stage`: [kernel].
[[nodiscard]] StageTraffic traffic_of_stage(const PartitionModel& model, const StageOfKernel& stage,
                                            std::size_t number);

}  // namespace dfsweep::dataflow
