/// The main loop: blocks that are missing are evaluated and written until none is left or the run is asked to stop.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/parallel/communicator.hpp"
#include "engine/plan/plan.hpp"
#include "engine/run/progress.hpp"
#include "engine/run/stop.hpp"
#include "engine/store/store.hpp"

namespace dfsweep {

/// What the ranks of a run share. Everything outlives the run.
struct RunContext {
  const Plan& plan;
  const PreparedSweep& prepared;
  Communicator& communicator;
  dfsweep::store::Store* store =
      nullptr;  ///< null on ranks that write nothing, because rank 0 alone writes small blocks
  unsigned threads = 1;
  std::uint64_t allowed_failures = 0;  ///< points that may fail before the run stops
  Stop& stop;
  Progress& progress;  ///< of rank 0
};

enum class Outcome : std::uint8_t {
  complete,  ///< every block that was asked for is in the journal
  stopped,   ///< some are not; Stop::reason of some rank says why
};

/// Collective; every rank gets the same outcome. `todo` (on rank 0) are the blocks to evaluate, in this order.
/// Throws IoError, and LogicError for defects outside of points.
[[nodiscard]] Outcome run_blocks(const RunContext& context, std::vector<BlockId> todo);

}  // namespace dfsweep
