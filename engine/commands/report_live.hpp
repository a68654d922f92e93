/// Follows an unfinished run: what is made of its result is made again while blocks are finished.
#pragma once

#include <filesystem>
#include <functional>

#include "engine/commands/verify.hpp"
#include "engine/console/exit_status.hpp"
#include "engine/results/open_result.hpp"

namespace dfsweep {

/// Calls `write` with the result of a run directory whenever more of its blocks are finished, and a last time when it
/// is published. Looks at the journals ten times a second, and waits after a call of `write` as long as that took.
/// Waits for a run that has no result file yet, and for one that was stopped, because it may be resumed. Reads only,
/// and takes no lock.
///
/// Returns ExitStatus::complete after the publication, ExitStatus::stopped after SIGINT, SIGTERM or SIGHUP, which do
/// not interrupt `write`. Throws as open_result() does, but for NotReady.
[[nodiscard]] ExitStatus follow_run(const std::filesystem::path& directory,
                                    const std::function<void(const OpenedResult&)>& write, Verbosity verbosity);

}  // namespace dfsweep
