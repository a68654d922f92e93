/// Parsing of the command line, and its error messages.
#include "engine/cli/cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>

#include "engine/cli/command_table.hpp"
#include "engine/cli/commands.hpp"
#include "engine/cli/help.hpp"
#include "engine/cli/manual.hpp"
#include "engine/commands/run.hpp"
#include "engine/console/build_info.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "io/atomic_file.hpp"
#include "io/suggestion.hpp"
#include "io/terminal.hpp"

namespace dfsweep {
namespace {

constexpr std::string_view program_examples =
    "Examples:\n"
    "  dfsweep run sweeps/quickstart.toml\n"
    "  dfsweep show runs/quickstart";

std::string version_text() {
  return fmt::format("dfsweep {} (commit {})\n", program_version(), program_commit());
}

std::string citation_text() {
  return fmt::format(
      "Please cite the program, and the papers of the models that you used (listed in docs/references.bib):\n\n"
      "@software{{dfsweep,\n"
      "  author  = {{{{The dfsweep developers}}}},\n"
      "  title   = {{dfsweep: design-space sweeps of large-scale AI and HPC systems}},\n"
      "  version = {{{0}}},\n"
      "  note    = {{commit {1}}}\n"
      "}}\n\n"
      "The dfsweep developers. dfsweep: design-space sweeps of large-scale AI and HPC systems\n"
      "(Version {0}) [Computer software].\n",
      program_version(), program_commit());
}

/// Converts `help` and `help COMMAND` to `--help` and `COMMAND --help`.
std::vector<std::string> with_help_as_option(std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  std::erase(words, "help");
  words.push_back("--help");
  return words;
}

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CommandInfo& command : program_info(program).commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// What an option that a command does not have could mean: one of nearly the same name, else those of which one name
/// begins with the other.
std::string option_hint(const std::string& name, const std::vector<std::string>& options) {
  const std::string hint = did_you_mean(name, options);
  if (!hint.empty()) return hint;
  const auto bare = [](std::string_view option) {
    return option.substr(std::min(option.size(), option.find_first_not_of('-')));
  };
  const std::string_view word = bare(name);
  std::vector<std::string> alike;
  for (const std::string& option : options)
    if (!word.empty() && (bare(option).starts_with(word) || word.starts_with(bare(option)))) alike.push_back(option);
  if (alike.size() > 1) return fmt::format("Did you mean one of {}?", listed(alike, 6));
  return alike.empty() ? "" : fmt::format("Did you mean '{}'?", alike.front());
}

/// Throws UsageError if the first word is not a command.
void expect_command(const CLI::App& program, const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front().starts_with('-')) return;
  const auto is_named = [&](const CLI::App* command) { return command->get_name() == arguments.front(); };
  if (!program.get_subcommands(is_named).empty()) return;
  const std::vector<std::string> names = command_names(program);
  throw UsageError(
      fmt::format("unknown command '{}'. {}", printable(arguments.front()),
                  did_you_mean(arguments.front(), names, "Commands: " + listed(names, names.size()) + ".")));
}

/// Error message for a parse error of CLI11. A mistyped option is reported before missing arguments.
std::string problem_of(const CLI::ParseError& error, const CLI::App& command) {
  const bool is_missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const std::vector<std::string> extras = is_extra || is_missing ? command.remaining(true) : std::vector<std::string>();
  for (const std::string& extra : extras) {
    const std::string name = extra.substr(0, extra.find('='));
    if (!name.starts_with('-') || name == "-") continue;
    const std::string hint = option_hint(name, option_names(command));
    return fmt::format("unknown option '{}'.{}{}", printable(name), hint.empty() ? "" : " ", hint);
  }
  if (is_extra && !extras.empty()) return fmt::format("unexpected argument '{}'.", printable(extras.front()));
  const std::string text = printable(error.what());
  constexpr std::string_view flag_with_value = " was given a disallowed flag override";
  if (text.ends_with(flag_with_value))
    return "--" + text.substr(0, text.size() - flag_with_value.size()) + " takes no value.";
  return text + ".";
}

ExitStatus print(const std::string& text) {
  write_results(text);
  return ExitStatus::complete;
}

/// CLI11 would accept `--json=file` as `--json`.
void refuse_values_of_flags(CLI::App& program) {
  for (CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    for (CLI::Option* option : command->get_options())
      if (option->get_expected_max() == 0) option->disable_flag_override();
}

/// Writes manual pages and completions to a folder; used by the build only.
ExitStatus write_pages(const ProgramInfo& program, const std::filesystem::path& folder) {
  std::vector<Page> pages = manual_pages(program);
  for (Page& page : std::vector{bash_completion(program), zsh_completion(program), fish_completion(program)})
    pages.push_back(std::move(page));
  for (const Page& page : pages) write_user_file(folder / page.path, page.text);
  return ExitStatus::complete;
}

void define_write_pages(CLI::App& program, Action& action) {
  const auto folder = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("write-pages", "Write manual pages and completions")->group("");
  command->add_option("DIR", *folder, "folder to write to")->required();
  // The action runs after the parser is destroyed, so it captures what it needs.
  command->callback([folder, &program, &action] {
    action = [folder, info = program_info(program)] { return write_pages(info, *folder); };
  });
}

const CLI::App& parsed_command(const CLI::App& program) {
  const std::vector<CLI::App*> parsed = program.get_subcommands();
  return parsed.empty() ? program : *parsed.front();
}

/// Help of the parsed command, else of the program.
std::string help_of(const CLI::App& program) {
  const CLI::App& command = parsed_command(program);
  const Terminal terminal = terminal_of(1);
  return &command == &program ? program_help(program_info(program), terminal)
                              : command_help(command_info(command), terminal);
}

}  // namespace

Action parse_command_line(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments.front() == "run") listen_for_signals_of_run(resume_command(arguments));
  CLI::App program("Evaluate design spaces of large-scale AI and HPC systems", "dfsweep");
  Action action;
  program.set_help_flag("-h,--help", "print this help");
  program.require_subcommand(0, 1);
  program.footer(std::string(program_examples));
  program.add_flag_callback(
      "--version", [&] { action = [] { return print(version_text()); }; }, "print the version and the commit");
  program.add_flag_callback(
      "--cite", [&] { action = [] { return print(citation_text()); }; }, "print how to cite dfsweep");
  define_run_commands(program, action, arguments);
  define_result_commands(program, action);
  define_fit_command(program, action);
  define_import_command(program, action);
  define_calibrate_command(program, action);
  define_product_command(program, action);
  define_score_command(program, action);
  define_write_pages(program, action);
  refuse_values_of_flags(program);

  std::vector<std::string> words = with_help_as_option(arguments);
  expect_command(program, words);
  std::reverse(words.begin(), words.end());  // CLI11 expects arguments in reverse order
  try {
    program.parse(words);
  } catch (const CLI::CallForHelp&) {
    return [help = help_of(program)] { return print(help); };
  } catch (const CLI::ParseError& error) {
    const CLI::App& command = parsed_command(program);
    const std::string name = &command == &program ? "dfsweep" : "dfsweep " + command.get_name();
    throw UsageError(fmt::format("{}\nSee '{} --help'.", problem_of(error, command), name));
  }
  if (action) return action;
  return [help = help_of(program)] {
    write_message("no command\n" + help);
    return ExitStatus::usage;
  };
}

}  // namespace dfsweep
