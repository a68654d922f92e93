/// Runs too many to keep: two walks over the files leave sums per group, in memory bounded by the groups.
///
/// The first walk finds the groups and the least loss of each, the second one adds the runs near it. Ranks share the
/// blocks of the first walk and the groups of the second; the sums of a group are always added in file order, so they
/// have the same bits for any number of ranks and threads.
#pragma once

#include "engine/fit/runs/run_input.hpp"
#include "engine/parallel/communicator.hpp"
#include "models/law_fits/runs/seed_noise.hpp"
#include "models/law_fits/runs/selection.hpp"

namespace dfsweep::fit {

struct StreamedRuns {
  std::vector<law_fits::Recipe> recipes;
  law_fits::SelectedRuns selected;  ///< without single runs
  law_fits::SeedSums seeds;         ///< of settings within 1 % of their group, where files have seeds
  RunFindings findings;             ///< duplicates are looked for within the widest window only
};

/// Collective; the result is on rank 0, elsewhere it is empty. Throws UserError where a line is malformed or no run is
/// left. Pre: every rank sees the same files.
/// `windows`: ascending bounds on rel.
[[nodiscard]] StreamedRuns stream_runs(const RunInput& input, std::span<const double> windows, unsigned threads,
                                       Communicator& communicator);

}  // namespace dfsweep::fit
