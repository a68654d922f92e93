/// `dfsweep profiles`: what a folder of measured tables covers, how well its measurements repeat, and what is missing.
#pragma once

#include "engine/commands/profiles_options.hpp"
#include "engine/console/exit_status.hpp"

namespace dfsweep {

/// Warnings go to standard error. Throws UserError with everything that is wrong with the tables.
[[nodiscard]] ExitStatus run_profiles(const ProfilesOptions& options);

}  // namespace dfsweep
