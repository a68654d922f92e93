/// What a reader of a fit should know before believing it, in sentences.
#pragma once

#include <string>
#include <vector>

#include "engine/steplaw/fit_report.hpp"

namespace dfsweep {

[[nodiscard]] std::vector<std::string> warnings_of(const FitReport& report);

}  // namespace dfsweep
