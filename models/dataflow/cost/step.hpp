/// Step: the time, cost and power of one iteration from the amounts of a mapped workload and the rates of a system.
#pragma once

#include <span>

#include "models/absent.hpp"
#include "models/dataflow/cost/rates.hpp"

namespace dfsweep::dataflow {

struct Step {
  StepStatus status = StepStatus::ok;
  Seconds step_time;
  Seconds compute_time;  ///< sums of the parts before overlap, over all layers and micro-batches of a stage
  Seconds memory_time;
  Seconds network_time;
  Seconds bubble_time;
  Flop flop;  ///< of all copies
  Bytes memory_used;
  double shortfall = absent;  ///< as in Fit
  Dollars system_cost;
  Watts system_power;
  double num_tile = 1.0;  ///< of the schedule that was used; of the most frugal one where none fits
};

/// One iteration, with II the time of a pass over a layer, q passes, l layers of a stage and c copies:
///
///     step_time = ((II l q + transfers) (1 + bubble/m) + fill + once) / c
///     flop      = of the graph x layers x global batch; of DLRM x chips x passes
///     cost      = c (chips (DRAM + device) + links and switches x bandwidth x price per bandwidth), power likewise
///
/// [dfmodel] sections 5.6 and 6; docs/models/dataflow.md, "Iteration". Where the status is out_of_memory or
/// out_of_sram, only memory_used, shortfall and num_tile are known. `scratch`: at least mapped.networks.size() numbers.
/// Pre: layout.verdict is possible. Allocates nothing.
[[nodiscard]] Step step_of(const MappedWorkload& mapped, const Workload& workload, const Layout& layout,
                           const Convention& convention, const StepInputs& inputs, std::span<Seconds> scratch);

/// What no mapping can beat.
struct LeastStep {
  Seconds step_time;  ///< infinite where no mapping makes the point valid
  bool fits = true;   ///< false: whatever the mapping, the DRAM is too small
};

/// All chips busy at their rate, the bubble, and the transfers of the pipeline. `whole`: all kernels in one partition,
/// sharded as in every mapping that is meant; what it takes besides, no partitions take less, since
/// sum max(a, b) >= max(sum a, sum b). Null: the sharding is not known. `cycle_flops`: the peak that the cycle model
/// cannot exceed. Formula: docs/models/dataflow.md, "Degrees, roles and micro-batch of the estimator's choice". Pre:
/// layout.verdict is possible. Allocates nothing.
[[nodiscard]] LeastStep least_step(const MappedWorkload* whole, const Workload& workload, const Layout& layout,
                                   const Convention& convention, const StepInputs& inputs, Throughput cycle_flops);

/// Whether a step takes equally long in two layouts of equal degrees, whatever the mapping. Says no where the stages
/// share a graph.
[[nodiscard]] bool equal_steps(const Layout& a, const Layout& b, const StepInputs& inputs);

}  // namespace dfsweep::dataflow
