/// Everything about one execution as an explanation: times, memory, layers.
#pragma once

#include "models/explanation.hpp"
#include "models/training/calculon/outputs.hpp"

namespace dfsweep::training {

/// Pre: no rejection rule but those on memory is broken.
[[nodiscard]] Explanation explain_results(const calculon::Results& results, const calculon::ModelShape& model);

}  // namespace dfsweep::training
