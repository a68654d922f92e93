/// The command line parser.
#pragma once

#include <string>
#include <vector>

#include "engine/cli/commands.hpp"

namespace dfsweep {

/// Parses the arguments (without the program's name) and returns the command, ready to be called. Throws UsageError
/// with a suggestion for a mistyped command or option.
[[nodiscard]] Action parse_command_line(const std::vector<std::string>& arguments);

}  // namespace dfsweep
