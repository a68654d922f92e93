/// Part of a fit's report: bootstraps of the step form, with N in the batch, and of the unified form.
#pragma once

#include "engine/fit/report/fit_report.hpp"

namespace dfsweep::fit {

/// Rows and groups resampled for kept_rows at the threshold of the settings; groups for the joint surface. Replicates
/// are shared by the threads and have the same bits for any number of them.
void bootstrap_laws(FitReport& report);

}  // namespace dfsweep::fit
