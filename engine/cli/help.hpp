/// The text that --help prints.
#pragma once

#include <string>

#include "engine/cli/command_table.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

/// "SWEEP [OPTIONS]": the arguments after the name of a command.
[[nodiscard]] std::string synopsis(const CommandInfo& command);
/// "-q, --quiet", "--threads N".
[[nodiscard]] std::string option_synopsis(const OptionInfo& option);

/// Lines wrap at the width of the terminal.
[[nodiscard]] std::string program_help(const ProgramInfo& program, const Terminal& terminal);
[[nodiscard]] std::string command_help(const CommandInfo& command, const Terminal& terminal);

}  // namespace dfsweep
