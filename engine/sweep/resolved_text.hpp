/// Resolved text: the canonical sweep file of a sweep.
#pragma once

#include <string>

#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// The canonical text of a sweep, independent of its spelling: every parameter with its value in base SI, axes in grid
/// order, inputs with checksums. It is stored in plan.json and /provenance and used to show differences; reading it
/// gives the same sweep.
[[nodiscard]] std::string resolved_text(const SweepSpec& spec);

/// Conditions as one expression: "a < 1 && (b || c)".
[[nodiscard]] std::string conjunction_text(const std::vector<Filter>& conditions);

/// A value of a parameter in tables, labels and errors ("h100-80g", "8", "2e12").
[[nodiscard]] std::string label(const ParameterInfo& parameter, const ParameterValue& value);

}  // namespace dfsweep
