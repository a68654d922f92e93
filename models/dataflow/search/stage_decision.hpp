/// Stage decision: whether all stages of a pipeline can be done within a given time.
#pragma once

#include <cstdint>
#include <vector>

#include "models/dataflow/search/stage_instance.hpp"

namespace dfsweep::dataflow {

struct StageDecision {
  enum class Verdict : std::uint8_t { possible, impossible, unknown };
  Verdict verdict = Verdict::unknown;
  std::vector<KernelSet> stages;  ///< possible: kernels of each, as few stages as can be
  Ticks next = endless;           ///< impossible: no time below this is possible either; `endless`: none at all is
  std::int64_t nodes = 0;         ///< ways looked at to be half-way
};

/// Builds the stages kernel by kernel. What matters half-way is the set of finished kernels, the number of full stages
/// and what is in the stage under way; of two ways to the same set, one that is no worse in all of these stands for
/// both. Of equally short answers the first in the order of the search, which depends on the instance alone.
/// `node_limit` reached: unknown.
[[nodiscard]] StageDecision decide_stages(const StageInstance& instance, Ticks time_limit, std::int64_t node_limit);

}  // namespace dfsweep::dataflow
