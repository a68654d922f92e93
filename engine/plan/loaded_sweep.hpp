/// LoadedSweep: a sweep file read, planned and prepared, the same on every rank.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/parallel/communicator.hpp"
#include "engine/plan/plan.hpp"
#include "engine/plan/row_source.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// Each member refers to those above it, so it stays where it is made.
struct LoadedSweep {
  SweepSpec spec;
  RowSource rows;
  Plan plan;
  std::unique_ptr<PreparedSweep> prepared;

  /// Throws UserError, also for values that the estimator finds invalid at preparation.
  explicit LoadedSweep(SweepSpec read);
  LoadedSweep(const LoadedSweep&) = delete;
  LoadedSweep& operator=(const LoadedSweep&) = delete;
};

/// Collective only where `path` is "-": rank 0 then reads standard input for all. Throws UserError, IoError.
[[nodiscard]] std::unique_ptr<LoadedSweep> load_sweep(const std::filesystem::path& path, const SweepReading& reading,
                                                      Communicator& communicator);

/// Collective: throws UsageError on ranks whose plan is not that of rank 0, because their host sees other files or
/// another program; no block of theirs may be used.
void expect_same_plan(Communicator& communicator, const Plan& plan);

}  // namespace dfsweep
