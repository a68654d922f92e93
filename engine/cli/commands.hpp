/// Definitions of the commands for the parser: options, help texts, examples.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/console/exit_status.hpp"

namespace CLI {
class App;
}

namespace dfsweep {

/// What the program does once its arguments are read.
using Action = std::function<ExitStatus()>;

/// Adds commands to `program`; the one that is parsed sets `action`. Pre: `action` outlives the parsing.
/// `arguments`: all of the command line, from which `run` tells how it is continued.
void define_run_commands(CLI::App& program, Action& action, const std::vector<std::string>& arguments);
void define_result_commands(CLI::App& program, Action& action);
void define_merge_command(CLI::App& program, Action& action);   ///< called by define_result_commands()
void define_report_command(CLI::App& program, Action& action);  ///< called by define_result_commands()
void define_fit_command(CLI::App& program, Action& action);
void define_import_command(CLI::App& program, Action& action);
void define_calibrate_command(CLI::App& program, Action& action);
void define_product_command(CLI::App& program, Action& action);
void define_score_command(CLI::App& program, Action& action);

}  // namespace dfsweep
