/// Stage decision: whether every stage of a pipeline can finish within a given time.
#pragma once

#include <cstdint>
#include <vector>

#include "models/dataflow/search/stage_instance.hpp"

namespace dfsweep::dataflow {

struct StageDecision {
  enum class Verdict : std::uint8_t { possible, impossible, unknown };
  Verdict verdict = Verdict::unknown;
  std::vector<KernelSet> stages;  ///< if possible: kernels of each stage, with the fewest stages
  Ticks next = int_infinity;      ///< if impossible: no time below this is possible either; `int_infinity`: no time is
  std::int64_t nodes = 0;         ///< partial solutions evaluated
};

/// Builds the stages kernel by kernel. A partial solution is its set of finished kernels, the number of closed stages
/// and the content of the current stage; dominated partial solutions are dropped. Ties: the first in the order of the
/// search, which depends on the instance only. The verdict is unknown where `node_limit` is reached.
[[nodiscard]] StageDecision decide_stages(const StageInstance& instance, Ticks time_limit, std::int64_t node_limit);

}  // namespace dfsweep::dataflow
