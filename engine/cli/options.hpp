/// Options that several commands share, so that they mean the same in all of them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/commands/verify.hpp"
#include "engine/console/output_form.hpp"
#include "engine/sweep/sweep.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

/// Adds a command whose help ends with these examples.
CLI::App* add_command(CLI::App& program, const std::string& name, const std::string& meaning,
                      const std::vector<std::string>& examples);

void add_json(CLI::App* command, OutputForm& form);
void add_quiet(CLI::App* command, Verbosity& verbosity);
void add_colour(CLI::App* command, ColourChoice& colour);
void add_threads(CLI::App* command, std::uint32_t& threads);

/// Checks that an option is a whole number of at least `least`.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t least);

/// Checks that an option is a number from `least` to `most`.
[[nodiscard]] CLI::Validator number_within(double least, double most);

/// An option that takes names separated by commas.
CLI::Option* add_list(CLI::App* command, const std::string& name, std::vector<std::string>& list,
                      const std::string& meaning);
[[nodiscard]] std::vector<std::string> split_list(const std::string& text);

/// Where entries are found beside those that come with the program.
void add_catalogue(CLI::App* command, std::vector<std::filesystem::path>& folders);
/// The same, and measured data.
void add_reading(CLI::App* command, SweepReading& reading);

}  // namespace dfsweep
