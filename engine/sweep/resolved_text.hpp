/// Resolved text: a sweep as a sweep file that is the same for two spellings of it.
#pragma once

#include <string>

#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// The sweep as resolved, as a sweep file that is the same for two spellings of the same sweep: every parameter with
/// its value in base SI, axes in grid order, inputs with their checksums. What plan.json and /provenance hold, and what
/// differences are shown from; reading it back gives the same sweep.
[[nodiscard]] std::string resolved_text(const SweepSpec& spec);

/// How a value of a parameter is written in tables, labels and errors ("h100-80g", "8", "2e12").
[[nodiscard]] std::string label(const ParameterInfo& parameter, const ParameterValue& value);

}  // namespace dfsweep
