/// Stage steps: whether stages exist whose step is shorter than that of a known solution.
#pragma once

#include <limits>
#include <vector>

#include "models/dataflow/search/stage_instance.hpp"

namespace dfsweep::dataflow {

/// Stages and their step in ticks per sequence of a micro-batch, as in StageInstance::step.
struct StageSteps {
  double step = std::numeric_limits<double>::infinity();
  std::vector<KernelSet> stages;  ///< empty where no solution is known
};

[[nodiscard]] StageSteps steps_of(const StageInstance& instance, std::vector<KernelSet> stages);

/// Whether `a` is the better solution: the shorter step, then fewer stages.
[[nodiscard]] inline bool is_better(const StageSteps& a, const StageSteps& b) {
  return a.step < b.step || (a.step == b.step && a.stages.size() < b.stages.size());
}

struct StageStepSearch {
  StageSteps best;          ///< `known` where nothing better exists or was found
  double bound = 0.0;       ///< proven lower bound on the steps of all solutions; best.step where that is optimal
  bool is_stopped = false;  ///< by the node limit
  std::int64_t nodes = 0;
};

/// Builds the stages kernel by kernel. A partial solution is its set of finished kernels, the content of the current
/// stage, and the number, the slowest, the sum and the most gradients of the closed stages. One dominates another where
/// what it exceeds it by costs no more than it has saved in the sum. Of those with the same finished kernels and number
/// of closed stages the 32 with the lowest bounds are kept; the least bound of those dropped bounds what they could
/// have led to. `least_slowest`: a bound on the slowest stage of every solution.
[[nodiscard]] StageStepSearch shortest_step(const StageInstance& instance, Ticks least_slowest, const StageSteps& known,
                                            std::int64_t node_limit);

}  // namespace dfsweep::dataflow
