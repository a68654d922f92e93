/// Making of reports: selection, surfaces, laws, scores, resamples and warnings, in this order.
#pragma once

#include <vector>

#include "engine/fit/report/fit_report.hpp"

namespace dfsweep::fit {

/// Windows on rel that the sums are made for: those of the models and the threshold, ascending.
[[nodiscard]] std::vector<double> windows_of(const FitSettings& settings);

/// Of runs in memory: all of it. Of streamed runs: what sums per group allow, hence neither scores nor row resamples.
[[nodiscard]] FitReport report_of(const LoadedRuns& loaded, const FitSettings& settings);
[[nodiscard]] FitReport report_of(StreamedRuns streamed, const FitSettings& settings);

}  // namespace dfsweep::fit
