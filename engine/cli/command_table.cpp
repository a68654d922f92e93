#include "engine/cli/command_table.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <sstream>

#include "engine/console/build_info.hpp"
#include "engine/sweep/estimators.hpp"

namespace dfsweep {
namespace {

constexpr std::string_view source_sweeps = "sweeps/";

/// Replaces paths of the source tree by paths of the installed program.
std::string placed(std::string example) {
  const std::filesystem::path installed = installed_data_folder();
  if (installed.empty()) return example;
  if (const std::size_t at = example.find(source_sweeps); at != std::string::npos)
    example.replace(at, source_sweeps.size(), (installed / "").string());
  return example;
}

/// The examples: the indented lines of the footer of a command.
std::vector<std::string> examples_of(const CLI::App& command) {
  std::vector<std::string> examples;
  std::istringstream lines(command.get_footer());
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  ")) examples.push_back(placed(line.substr(2)));
  return examples;
}

OptionInfo option_info(const CLI::Option& option) {
  OptionInfo info;
  for (const std::string& name : option.get_lnames()) info.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) info.names.push_back("-" + name);
  if (option.get_expected_max() > 0) info.value = option.get_type_name();
  info.meaning = option.get_description();
  info.value_may_be_left_out = option.get_expected_max() > 0 && option.get_expected_min() == 0;
  return info;
}

}  // namespace

CommandInfo command_info(const CLI::App& command) {
  CommandInfo info{.name = command.get_name(),
                   .meaning = command.get_description(),
                   .arguments = {},
                   .options = {},
                   .examples = examples_of(command)};
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional())
      info.arguments.push_back(
          {option->get_name(true), option->get_description(), option->get_required(), option->get_expected_max() > 1});
    else
      info.options.push_back(option_info(*option));
  }
  return info;
}

ProgramInfo program_info(const CLI::App& program) {
  ProgramInfo info{.program = command_info(program), .commands = {}};
  for (const CLI::App* command : program.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
    info.commands.push_back(command_info(*command));
  return info;
}

ValueChoice value_choice(const std::string& value_name) {
  using Kind = ValueChoice::Kind;
  if (value_name == "WHEN") return {Kind::words, {"auto", "always", "never"}};
  if (value_name == "LAUNCHER") return {Kind::words, {"mpirun", "srun"}};
  if (value_name == "FORMAT") return {Kind::words, {"csv"}};
  if (value_name == "KIND") return {Kind::words, {"steplaw"}};
  if (value_name == "SUBJECT") {
    ValueChoice subjects{Kind::words, {"catalogue", "model"}};
    for (const Estimator* estimator : estimators()) subjects.words.emplace_back(estimator->name());
    return subjects;
  }
  if (value_name == "DIR") return {Kind::folders};
  for (const std::string_view file : {"FILE", "OUT", "SWEEP", "RUNS"})
    if (value_name.find(file) != std::string::npos) return {Kind::files};
  return {};
}

}  // namespace dfsweep
