/// Warnings of a fit: what limits how far its results can be trusted.
#pragma once

#include <string>
#include <vector>

#include "engine/fit/report/fit_report.hpp"

namespace dfsweep::fit {

[[nodiscard]] std::vector<std::string> warnings_of(const FitReport& report);

}  // namespace dfsweep::fit
