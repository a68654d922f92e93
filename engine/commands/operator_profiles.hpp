/// `dfsweep profiles` of a folder of measured operators of inference engines: coverage, what is left out, and errors.
#pragma once

#include "engine/commands/profiles_options.hpp"
#include "engine/console/exit_status.hpp"

namespace dfsweep {

/// Throws UserError with everything that is wrong with the tables.
[[nodiscard]] ExitStatus run_operator_profiles(const ProfilesOptions& options);

}  // namespace dfsweep
