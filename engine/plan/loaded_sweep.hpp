/// LoadedSweep: a sweep file that is read, planned and prepared; identical on every rank.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/parallel/communicator.hpp"
#include "engine/plan/plan.hpp"
#include "engine/plan/row_source.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// Members refer to earlier members, so it is not movable.
struct LoadedSweep {
  SweepSpec spec;
  RowSource rows;
  Plan plan;
  std::unique_ptr<PreparedSweep> prepared;

  /// Throws UserError, also for values that the estimator rejects in preparation.
  explicit LoadedSweep(SweepSpec read);
  LoadedSweep(const LoadedSweep&) = delete;
  LoadedSweep& operator=(const LoadedSweep&) = delete;
};

/// Collective only if `path` is "-": rank 0 then reads standard input and broadcasts it. Throws UserError, IoError.
[[nodiscard]] std::unique_ptr<LoadedSweep> load_sweep(const std::filesystem::path& path, const SweepReading& reading,
                                                      Communicator& communicator);

/// Collective: throws UsageError on ranks whose plan differs from that of rank 0, because their host has other files or
/// another program.
void expect_same_plan(Communicator& communicator, const Plan& plan);

}  // namespace dfsweep
