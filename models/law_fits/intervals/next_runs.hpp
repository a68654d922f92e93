/// Which group of runs to do next: what one more would do to an interval, by the scatter that the groups so far show.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "models/law_fits/intervals/scattered_law.hpp"

namespace dfsweep::hyperparameters {

struct NextGroup {
  TrainingScale scale;
  std::array<double, 2> width_ratio{};  ///< expected width of the interval over its width now, [target]
  double mean_width_ratio = 0.0;        ///< geometric mean of both
  double run_flop = 0.0;                ///< of one training run: M D; with M unknown 6 Na D
};

/// Models to choose from: every N (and its Na) that was run, then the greatest dense N doubled and doubled again; each
/// with D in steps of two from the least that was run to four times the greatest.
[[nodiscard]] std::vector<TrainingScale> next_group_choices(const SelectedRuns& runs,
                                                            std::span<const std::size_t> groups);

/// Choices by what they would do for the interval at `target`, most useful first, of equal ones the cheapest. A new
/// group is taken to be located as well as the median group so far, and the scatter between groups to stay as it is.
/// Empty where the law has a defect.
[[nodiscard]] std::vector<NextGroup> rank_next_groups(const ScatteredLaw& law, const TrainingScale& target,
                                                      std::span<const TrainingScale> choices);

}  // namespace dfsweep::hyperparameters
