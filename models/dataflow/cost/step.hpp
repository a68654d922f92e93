/// Step: the time, cost and power of one iteration from the amounts of a mapped workload and the rates of a system.
#pragma once

#include <limits>
#include <span>

#include "models/dataflow/cost/rates.hpp"

namespace dfsweep::dataflow {

struct Step {
  StepStatus status = StepStatus::ok;
  double step_time = 0.0;
  double compute_time = 0.0;  ///< sums of the parts before overlap, over all layers and micro-batches of a stage
  double memory_time = 0.0;
  double network_time = 0.0;
  double bubble_time = 0.0;
  double flop = 0.0;  ///< of all copies
  double memory_used = 0.0;
  double shortfall = std::numeric_limits<double>::quiet_NaN();  ///< as in Fit
  double system_cost = 0.0;
  double system_power = 0.0;
  double num_tile = 1.0;  ///< of the schedule that was used; of the most frugal one where none fits
};

/// One iteration; equations in docs/models/dataflow.md, "Iteration". `scratch`: at least mapped.networks.size()
/// numbers. Pre: layout.verdict is possible. Allocates nothing.
[[nodiscard]] Step step_of(const MappedWorkload& mapped, const Workload& workload, const Layout& layout,
                           const Convention& convention, const StepInputs& inputs, std::span<double> scratch);

/// What no mapping can beat.
struct LeastStep {
  double step_time = 0.0;  ///< infinite where no mapping makes the point valid
  bool fits = true;        ///< false: whatever the mapping, the DRAM is too small
};

/// All chips busy at their rate, the bubble, and the transfers of the pipeline. `whole`: all kernels in one partition,
/// sharded as in every mapping that is meant; what it takes besides, no partitions take less, since
/// sum max(a, b) >= max(sum a, sum b). Null: the sharding is not known. `cycle_flops`: the peak that the cycle model
/// cannot exceed, FLOP/s. Pre: layout.verdict is possible. Allocates nothing.
[[nodiscard]] LeastStep least_step(const MappedWorkload* whole, const Workload& workload, const Layout& layout,
                                   const Convention& convention, const StepInputs& inputs, double cycle_flops);

/// Whether a step takes equally long in two layouts of equal degrees, whatever the mapping. Says no where the stages
/// share a graph.
[[nodiscard]] bool equal_steps(const Layout& a, const Layout& b, const StepInputs& inputs);

}  // namespace dfsweep::dataflow
