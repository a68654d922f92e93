/// Shared options of commands.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/commands/verify.hpp"
#include "engine/console/output_form.hpp"
#include "engine/sweep/sweep.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

/// Adds a command; its help ends with the examples.
CLI::App* add_command(CLI::App& program, const std::string& name, const std::string& meaning,
                      const std::vector<std::string>& examples);

void add_json(CLI::App* command, OutputForm& form);
void add_quiet(CLI::App* command, Verbosity& verbosity);
void add_colour(CLI::App* command, ColourChoice& colour);
void add_threads(CLI::App* command, std::uint32_t& threads);

/// Validates a whole number of at least `least`.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t least);

/// Validates a number from `least` to `most`.
[[nodiscard]] CLI::Validator number_within(double least, double most);

/// Adds an option with a comma-separated list of names.
CLI::Option* add_list(CLI::App* command, const std::string& name, std::vector<std::string>& list,
                      const std::string& meaning);
[[nodiscard]] std::vector<std::string> split_list(const std::string& text);
/// "recompute=full" as name and value. Throws UsageError that names the option.
[[nodiscard]] std::pair<std::string, std::string> assignment(const std::string& option, const std::string& text);

/// Adds --catalogue: folders of additional entries.
void add_catalogue(CLI::App* command, std::vector<std::filesystem::path>& folders);
/// Adds --catalogue, --data and --profiles.
void add_reading(CLI::App* command, SweepReading& reading);

}  // namespace dfsweep
