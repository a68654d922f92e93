/// Next runs: which group of runs to add next, by its expected effect on an interval.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "models/law_fits/intervals/scattered_law.hpp"

namespace dfsweep::law_fits {

struct NextGroup {
  TrainingScale scale;
  std::array<double, 2> width_ratio{};  ///< [target] expected over current width of the interval
  double mean_width_ratio = 0.0;        ///< geometric mean of both
  double run_flop = 0.0;                ///< FLOP of one training run: M D, or 6 Na D with unknown M
};

/// Candidates: every N (with its Na) of the runs, and the largest dense N times 2 and 4; each with D in powers of two
/// from the smallest to four times the largest D of the runs.
[[nodiscard]] std::vector<TrainingScale> next_group_choices(const SelectedRuns& runs,
                                                            std::span<const std::size_t> groups);

/// Candidates ranked by the reduction of the interval at `target`; ties: the cheapest first. Assumes that a new group
/// has the median variance of the located groups and that the scatter between groups is unchanged. Empty where the law
/// has a defect.
[[nodiscard]] std::vector<NextGroup> rank_next_groups(const ScatteredLaw& law, const TrainingScale& target,
                                                      std::span<const TrainingScale> choices);

}  // namespace dfsweep::law_fits
