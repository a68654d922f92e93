/// Step: time, cost and power of one iteration, from the amounts of a mapped workload and the rates of a system.
#pragma once

#include <span>

#include "models/absent.hpp"
#include "models/dataflow/cost/rates.hpp"

namespace dfsweep::dataflow {

struct Step {
  StepStatus status = StepStatus::ok;
  Seconds step_time;
  Seconds compute_time;  ///< compute, memory and network before overlap: sums over layers and micro-batches of a stage
  Seconds memory_time;
  Seconds network_time;
  Seconds network_latency;  ///< part of network_time
  Bytes moved;              ///< by the DRAM of a chip; 0 where stages share a graph
  Bytes sent;               ///< by a chip of one copy over its links, for the work of all; 0 as `moved`
  Seconds bubble_time;
  Flop flop;  ///< sum over all copies
  Bytes memory_used;
  double shortfall = absent;  ///< as in Fit
  double num_tile = 1.0;      ///< of the schedule in use, or the one with the least SRAM where none fits
};

/// One iteration, with II the time of a pass over a layer, q passes, l layers of a stage and c copies:
///
///     step_time = ((II l q + transfers) (1 + bubble/m) + fill + once) / c
///     flop      = FLOP of the graph x layers x global batch; DLRM: FLOP x chips x passes
///
/// [dfmodel] sections 5.6 and 6; docs/models/dataflow.md, "Iteration". Where the status is out_of_memory or
/// out_of_sram, only memory_used, shortfall and num_tile are known. `scratch`: at least network_count(mapped) numbers.
/// Pre: layout.verdict is possible. Allocates nothing.
[[nodiscard]] Step step_of(const MappedWorkload& mapped, const Workload& workload, const Layout& layout,
                           const Convention& convention, const StepInputs& inputs, std::span<NetworkTime> scratch);

/// Price and power of a system that executes a step.
struct StepCosts {
  Dollars system_cost;
  Watts system_power;
  Watts average_power;         ///< of a chip with its DRAM
  Watts system_average_power;  ///< of all chips, and the nameplate power of their links and switches
};

/// With c copies:
///
///     cost      = c (chips (DRAM + device + host) + links and switches x bandwidth x price per bandwidth), power
///     likewise
///     average   = cost::kernel_power() of the time without bubbles: DRAM traffic and FLOP over what both could do
///
/// docs/models/cost.md. Pre: the status of the step is ok; the inputs have their costs (PointModel::inputs).
[[nodiscard]] StepCosts costs_of(const Step& step, const Layout& layout, const StepInputs& inputs);

/// A lower bound on the step over all mappings.
struct LeastStep {
  Seconds step_time;  ///< infinite where the point is invalid with every mapping
  bool fits = true;   ///< false: the DRAM is too small for every mapping
};

/// Lower bound from chips at their peak rate, the bubble, and the transfers of the pipeline. `whole`: all kernels in
/// one partition with the sharding of the mappings to bound; it adds a bound on memory and network, since sum max(a, b)
/// >= max(sum a, sum b). Null: the sharding is unknown. `cycle_flops`: peak rate of the cycle model. Formula:
/// docs/models/dataflow.md, "Degrees, roles and micro-batch chosen by the estimator". Pre: layout.verdict is
/// possible. Allocates nothing.
[[nodiscard]] LeastStep least_step(const MappedWorkload* whole, const Workload& workload, const Layout& layout,
                                   const Convention& convention, const StepInputs& inputs, Throughput cycle_flops);

/// Whether two layouts of equal degrees give the same step time for every mapping. Conservative: false where the stages
/// share a graph.
[[nodiscard]] bool equal_steps(const Layout& a, const Layout& b, const StepInputs& inputs);

}  // namespace dfsweep::dataflow
