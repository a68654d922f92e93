/// Levels: how much a fit may move, from nothing to every number of every entry. Left-out rows decide among them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/calibration/correctable_model.hpp"
#include "models/calibration/selection.hpp"

namespace dfsweep {

/// In the order of what they may move: nothing; the first number; numbers that belong to entries; all numbers, at half
/// of their spreads and at all of it; and the same with corrections for single entries.
[[nodiscard]] std::vector<calibration::Level> fit_levels(std::span<const Correction> corrections,
                                                         std::span<const CalibrationInfo> numbers);

}  // namespace dfsweep
