/// What a reader of a fit should know before believing it, in sentences.
#pragma once

#include <string>
#include <vector>

#include "engine/fit/report/fit_report.hpp"

namespace dfsweep::fit {

[[nodiscard]] std::vector<std::string> warnings_of(const FitReport& report);

}  // namespace dfsweep::fit
