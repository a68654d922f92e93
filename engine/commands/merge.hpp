/// `dfsweep merge A B... -o C.h5`: results of one estimator as one result.
#pragma once

#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "engine/merging/merging.hpp"

namespace dfsweep {

struct MergeOptions {
  MergeRequest request;
  OutputForm form = OutputForm::text;
};

/// Throws what merge_results() throws, and UsageError where the output is one of the parts.
[[nodiscard]] ExitStatus run_merge(const MergeOptions& options);

}  // namespace dfsweep
