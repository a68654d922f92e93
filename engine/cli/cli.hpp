/// The command line: which command with which options, and what is wrong with it where something is.
#pragma once

#include <string>
#include <vector>

#include "engine/console/exit_status.hpp"

namespace dfsweep {

/// Runs the command that the arguments (without the program's name) ask for. Throws UsageError with a suggestion for a
/// mistyped command or option, and whatever the command throws.
[[nodiscard]] ExitStatus run_command_line(const std::vector<std::string>& arguments);

}  // namespace dfsweep
