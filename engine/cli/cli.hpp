/// The command line: which command with which options, and what is wrong with it where something is.
#pragma once

#include <string>
#include <vector>

#include "engine/cli/commands.hpp"

namespace dfsweep {

/// The command that the arguments (without the program's name) ask for, ready to be called. Throws UsageError with a
/// suggestion for a mistyped command or option.
[[nodiscard]] Action parse_command_line(const std::vector<std::string>& arguments);

}  // namespace dfsweep
