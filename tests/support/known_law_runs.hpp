/// Training runs of a known law in the shape of the released step law runs: the same groups of dense models and of
/// models with experts, the same grids, the same columns.
#pragma once

#include <filesystem>

#include "models/law_fits/runs/runs.hpp"
#include "models/law_fits/surfaces/surface.hpp"

namespace dfsweep::testing {

/// ln lr* = 3 - 0.70 ln N + 0.20 ln D, ln B* = 4.2 - 0.25 ln Na + 0.58 ln D: a law of the form "unified".
[[nodiscard]] ScalingLaw known_law();
/// Of ln L around the optimum of every group.
inline constexpr Hessian known_hessian = {0.0115, -0.0045, 0.0115};
/// Runs whose ln lr is more than this above the optimum have diverged: their ln L is higher by known_jump.
inline constexpr double known_edge = 2.0;
inline constexpr double known_jump = 0.5;
/// Least ln L of a group: ln(1.7 + exp(6 - 0.34 ln N) + exp(6.4 - 0.30 ln D)).
[[nodiscard]] double known_floor(const TrainingScale& scale);

/// 17 dense groups of 12 x 10 runs, then 16 groups with experts of 9 x 5: four recipes, of which two have the same N,
/// at four numbers of tokens. ln L = known_floor + 0.5 d' H d + `noise` e, d from the optimum, e nearly normal (twelve
/// uniform numbers of a counter minus 6).
[[nodiscard]] law_fits::TrainingRuns known_law_runs(double noise);

/// The same runs as two tables with the columns of the released ones: dense.csv and moe.csv in `folder`.
void write_known_law_runs(const std::filesystem::path& folder, double noise);

}  // namespace dfsweep::testing
