/// Everything about one execution as an explanation: times, memory, layers.
#pragma once

#include "models/calculon/formulas/outputs.hpp"
#include "models/explanation.hpp"

namespace dfsweep::calculon {

/// Of a point that breaks a rule.
[[nodiscard]] Explanation explain_rejection(Rejection rejection);
/// Pre: no rejection rule but those on memory is broken.
[[nodiscard]] Explanation explain_results(const Results& results, const ModelShape& model);

}  // namespace dfsweep::calculon
