/// StageProblem: assignment of the kernels of a graph to pipeline stages, and the cost of a stage.
///
/// This file defines the cost of a solution, the reference for the search, its bounds and the tests.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/dataflow/search/partition_problem.hpp"

namespace dfsweep::dataflow {

/// Cost of a kernel on the chips of one stage, per pass.
struct StageKernel {
  Seconds compute;
  Seconds memory;       ///< DRAM traffic, independent of the other kernels of the stage
  Seconds network;      ///< collectives among the chips of the stage
  Bytes held;           ///< DRAM kept for the kernel between passes (weights, optimizer state)
  Seconds gradients{};  ///< its gradients reduced after the passes, once per step
};

/// A tensor, with the bytes that a chip sends to its counterpart in the next stage.
struct StageEdge {
  std::size_t source = 0;
  std::size_t destination = 0;
  Bytes bytes;  ///< 0: the edge is only a dependence
};

struct StageProblem {
  std::vector<StageKernel> kernels;  ///< 1 to 64
  std::vector<StageEdge> edges;      ///< acyclic
  Bandwidth link_bandwidth{1.0};     ///< between stages, one direction; > 0
  Seconds link_latency;              ///< paid by a stage that sends anything
  Bytes capacity = unlimited;        ///< for the sum of `held` of a stage
  Overlap overlap = Overlap::perfect;
  std::size_t stages = 1;    ///< maximum number of stages; unused stages stay empty
  double passes = 1.0;       ///< of a step; >= micro_batch
  double micro_batch = 1.0;  ///< passes that a stage makes before the next stage starts; > 0
};

/// Cost of one stage per pass.
struct StageUse {
  Seconds compute;
  Seconds memory;
  Seconds network;
  Seconds transfer;
  Seconds time;  ///< compute, memory, network and transfer combined
  Bytes held;
  Seconds gradients;  ///< per step
};

/// Cost by definition of a stage with the kernels `inside`, where earlier stages execute `before`:
///
///     compute, memory, network, held, gradients = sums over the kernels
///     transfer = bytes of edges from before or inside to neither / link_bandwidth, + link_latency if there are any
///     time     = max(compute, memory, network, transfer)             perfect
///              = compute + memory + network + transfer               none
///              = max(compute, memory) + network + transfer           network_exposed
///
/// A tensor for a later stage than the next one passes through the stages between. [dfmodel] section 2.2: `perfect`
/// without memory is the paper's formula, `none` that of the code.
[[nodiscard]] StageUse use_of(const StageProblem& problem, KernelSet before, KernelSet inside);

/// [kernel] Stage of every kernel, from 0 without gaps.
using StageOfKernel = std::vector<std::size_t>;

/// Cost of each stage of a solution, in order.
[[nodiscard]] std::vector<StageUse> uses_of(const StageProblem& problem, const StageOfKernel& stage);

/// Time of the slowest stage.
[[nodiscard]] Seconds slowest_stage(const StageProblem& problem, const StageOfKernel& stage);

/// Time of a step of a pipeline with unbounded buffers:
///
///     (passes - micro_batch) max time + micro_batch sum of times + max gradients     over the stages
///
/// docs/models/dataflow.md, "Stages that share a graph"
[[nodiscard]] Seconds step_of_stages(const StageProblem& problem, const StageOfKernel& stage);

/// Whether no edge leads to an earlier stage, the number of stages is within the limit, and each stage holds its data.
[[nodiscard]] bool is_feasible(const StageProblem& problem, const StageOfKernel& stage);

}  // namespace dfsweep::dataflow
