/// Which links carry the exchanges of each group of ranks, and how fast, where a topology joins the devices.
#pragma once

#include "models/explanation.hpp"
#include "models/training/step/point.hpp"

namespace dfsweep::training {

/// A row for each group of several ranks and tier: along which dimensions its ranks lie, and what a device sends there
/// in a pass, in an all-to-all and to the next rank, before the shares that software reaches.
[[nodiscard]] Explanation link_section(const TrainingPoint& point);

}  // namespace dfsweep::training
