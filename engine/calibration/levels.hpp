/// Levels: how much a fit may move, from nothing to every number of every entry. Left-out rows decide among them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/calibration/correctable_model.hpp"
#include "models/calibration/selection.hpp"

namespace dfsweep {

/// In the order of what they may move: nothing; the first number; numbers that belong to entries; leading numbers,
/// alone and with corrections for single entries at half of their spreads and at all of it; all numbers likewise. Where
/// rows have groups, leading and all numbers once more without factors of groups: where few groups have most rows,
/// factors take from the numbers what all groups have in common. Levels that would equal another are left out.
[[nodiscard]] std::vector<calibration::Level> fit_levels(std::span<const Correction> corrections,
                                                         std::span<const CalibrationInfo> numbers, bool has_groups);

}  // namespace dfsweep
