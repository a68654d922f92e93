/// `show --sensitivity`: what would help most at the rows that a ranking puts first.
#pragma once

#include <string>
#include <vector>

#include "engine/commands/show_text.hpp"
#include "models/explanation.hpp"

namespace dfsweep {

/// A section for each of the first rows shown, at most three, evaluated again from what the file stores. `metrics`:
/// names of metrics. Throws UsageError for unknown ones, and where a point cannot be prepared (tables that are
/// missing).
[[nodiscard]] std::vector<Explanation> shown_sensitivities(const ShownResult& shown,
                                                           const std::vector<std::string>& metrics);

}  // namespace dfsweep
