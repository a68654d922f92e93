/// `dfsweep status DIR`: how far a run is.
#pragma once

#include <filesystem>

#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"

namespace dfsweep {

struct StatusOptions {
  std::filesystem::path directory;
  OutputForm form = OutputForm::text;
};

/// Exit status: complete where published, stopped where blocks are missing. Throws ForeignRun, IoError.
[[nodiscard]] ExitStatus run_status(const StatusOptions& options);

}  // namespace dfsweep
