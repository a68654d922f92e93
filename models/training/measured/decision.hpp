/// Decision: what a row leaves open is chosen as its authors had to choose, by what fits the memory.
#pragma once

#include "models/training/measured/reading.hpp"
#include "models/training/step/point.hpp"

namespace dfsweep::training {

/// Tries, in this order, until the step fits: degrees of a group of stated size, the smallest tensor degree first, the
/// rest of the group sharing sequences of adapters or being a pipeline; the recomputation as read, selective, full;
/// sharded parameters; larger tensor and pipeline degrees; results of first products in 8 bits; at last inputs of
/// layers in the memory of the host. Of micro-batches the largest power of two that fits with the choices before. Where
/// nothing fits, an undecided recomputation is full, with inputs of layers in the memory of the host, and the rest
/// stays as read. Only what is undecided changes.
[[nodiscard]] TrainingPoint decide(TrainingPoint point, const Undecided& undecided);

}  // namespace dfsweep::training
