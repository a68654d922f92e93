/// `dfsweep publish DIR [--partial]`: verify every block of a finished run and give the file its final name.
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/commands/verify.hpp"
#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "engine/store/publication.hpp"

namespace dfsweep {

struct PublishOptions {
  std::filesystem::path directory;
  store::Completeness completeness = store::Completeness::whole;
  OutputForm form = OutputForm::text;
  Verbosity verbosity = Verbosity::normal;
  std::uint32_t threads = 0;  ///< 0: as many as the affinity mask allows
};

/// Exit status: complete where published, stopped where blocks are missing or were found damaged (run again).
/// Throws ForeignRun, IoError.
[[nodiscard]] ExitStatus run_publish(const PublishOptions& options);

}  // namespace dfsweep
