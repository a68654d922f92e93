/// StageProblem: which kernels of a graph each stage of a pipeline executes, as plain numbers, and what a stage takes.
///
/// This file defines the cost of an answer; the search, its bounds and the tests are all held against it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/dataflow/search/partition_problem.hpp"

namespace dfsweep::dataflow {

/// What a kernel takes on the chips of one stage, per pass.
struct StageKernel {
  Seconds compute;
  Seconds memory;   ///< DRAM traffic whatever else the stage executes
  Seconds network;  ///< collectives among the chips of the stage
  Bytes held;       ///< DRAM that the stage keeps for it between passes (weights, optimizer state)
};

/// A tensor, with what a chip sends of it to its counterpart in the next stage.
struct StageEdge {
  std::size_t source = 0;
  std::size_t destination = 0;
  Bytes bytes;  ///< 0: the edge only orders its ends
};

struct StageProblem {
  std::vector<StageKernel> kernels;  ///< 1 to 64
  std::vector<StageEdge> edges;      ///< acyclic
  Bandwidth link_bandwidth{1.0};     ///< between stages, one direction; > 0
  Seconds link_latency;              ///< paid by a stage that sends anything
  Bytes capacity = unlimited;        ///< for what a stage holds
  Overlap overlap = Overlap::perfect;
  std::size_t stages = 1;  ///< of the pipeline: at most so many are used, the others stay empty
};

/// What one stage takes per pass.
struct StageUse {
  Seconds compute;
  Seconds memory;
  Seconds network;
  Seconds transfer;
  Seconds time;  ///< the four combined
  Bytes held;
};

/// The definition, for a stage that executes the kernels `inside` while those of `before` are executed by earlier ones:
///
///     compute, memory, network, held = sums over the kernels
///     transfer = bytes of edges from before or inside to neither / link_bandwidth, + link_latency if there are any
///     time     = max(compute, memory, network, transfer)             perfect
///              = compute + memory + network + transfer               none
///              = max(compute, memory) + network + transfer           network_exposed
///
/// A tensor that a later stage than the next one consumes passes through the stages between. [dfmodel] section 2.2:
/// `perfect` without memory is the paper's formula, `none` that of the code.
[[nodiscard]] StageUse use_of(const StageProblem& problem, KernelSet before, KernelSet inside);

/// Stage of every kernel, [kernel], from 0 without holes.
using StageOfKernel = std::vector<std::size_t>;

/// What each stage of an answer takes, in order.
[[nodiscard]] std::vector<StageUse> uses_of(const StageProblem& problem, const StageOfKernel& stage);

/// Time of the slowest stage.
[[nodiscard]] Seconds slowest_stage(const StageProblem& problem, const StageOfKernel& stage);

/// Whether no edge leads to an earlier stage, the stages are enough, and each holds what it must.
[[nodiscard]] bool is_feasible(const StageProblem& problem, const StageOfKernel& stage);

}  // namespace dfsweep::dataflow
