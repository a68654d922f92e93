/// The main loop: evaluates and writes missing blocks until none is left or the run has to stop.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/evaluation/known_rows.hpp"
#include "engine/parallel/communicator.hpp"
#include "engine/plan/plan.hpp"
#include "engine/run/progress.hpp"
#include "engine/run/stop.hpp"
#include "engine/store/store.hpp"

namespace dfsweep {

/// The objects that a run uses. Pre: they outlive the run.
struct RunContext {
  const Plan& plan;
  const PreparedSweep& prepared;
  Communicator& communicator;
  dfsweep::store::Store* store = nullptr;  ///< null on ranks that do not write: only rank 0 writes small blocks
  unsigned threads = 1;
  std::uint64_t allowed_failures = 0;  ///< number of failed points above which the run stops
  Stop& stop;
  Progress& progress;                ///< used on rank 0
  const KnownRows* known = nullptr;  ///< rows that are not evaluated; null: none
};

enum class Outcome : std::uint8_t {
  complete,  ///< every block of `todo` is in the journal
  stopped,   ///< some are not; Stop::reason() of at least one rank gives the reason
};

/// Collective; every rank gets the same outcome. `todo` (rank 0 only): the blocks to evaluate, in this order. Throws
/// IoError; LogicError for a defect of the program.
[[nodiscard]] Outcome run_blocks(const RunContext& context, std::vector<BlockId> todo);

}  // namespace dfsweep
