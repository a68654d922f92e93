/// A fit as tables of an HDF5 file.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/fit/report/fit_report.hpp"

namespace dfsweep::fit {

/// A group for each table of engine/fit/tables, and /bootstraps/<law>-<unit> with every replicate. Pre: the report is
/// of runs in memory or streamed; what streamed runs lack is left out.
[[nodiscard]] std::vector<std::byte> fit_file(const FitReport& report);

}  // namespace dfsweep::fit
