#include "engine/cli/help.hpp"

#include <algorithm>

namespace dfsweep {
namespace {

constexpr std::size_t narrowest_meaning = 24;
constexpr std::size_t pipe_width = 100;

/// Help is wrapped also if it is written to a file or a pipe.
Terminal reader_of(Terminal terminal) {
  if (terminal.width == 0) terminal.width = pipe_width;
  return terminal;
}

/// Two columns: names and their meanings.
std::string listing(const std::vector<std::pair<std::string, std::string>>& rows, const Terminal& terminal) {
  std::vector<TextColumn> columns(2);
  columns[0] = {.heading = "", .weight = 1};
  columns[1] = {.heading = "", .weight = 1, .narrowest = narrowest_meaning};
  for (const auto& [name, meaning] : rows) {
    columns[0].cells.push_back(name);
    columns[1].cells.push_back(meaning);
  }
  const std::string table = render_table(columns, terminal, 2).text;
  return table.substr(std::min(table.find_first_not_of('\n'), table.size()));
}

std::string section(std::string_view title, const std::string& text) {
  return text.empty() ? std::string() : "\n" + std::string(title) + "\n" + text;
}

std::string options_text(const CommandInfo& command, const Terminal& terminal) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const OptionInfo& option : command.options) rows.emplace_back(option_synopsis(option), option.meaning);
  return listing(rows, terminal);
}

std::string examples_text(const CommandInfo& command) {
  std::string text;
  for (const std::string& example : command.examples) text += "  " + example + "\n";
  return text;
}

}  // namespace

std::string synopsis(const CommandInfo& command) {
  std::string text;
  for (const ArgumentInfo& argument : command.arguments) {
    const std::string name = argument.name + (argument.repeats ? "..." : "");
    text += argument.required ? name + " " : "[" + name + "] ";
  }
  return text + "[OPTIONS]";
}

std::string option_synopsis(const OptionInfo& option) {
  std::string text;
  for (auto name = option.names.rbegin(); name != option.names.rend(); ++name)
    text += (text.empty() ? "" : ", ") + *name;
  if (option.value.empty()) return text;
  return text + (option.value_may_be_left_out ? " [" + option.value + "]" : " " + option.value);
}

std::string program_help(const ProgramInfo& program, const Terminal& terminal) {
  const Terminal reader = reader_of(terminal);
  std::vector<std::pair<std::string, std::string>> commands;
  for (const CommandInfo& command : program.commands) commands.emplace_back(command.name, command.meaning);
  return program.program.meaning + "\n\nUsage: dfsweep COMMAND [ARGUMENTS] [OPTIONS]\n" +
         section("Commands:", listing(commands, reader)) + section("Options:", options_text(program.program, reader)) +
         "\n" + wrapped("'dfsweep COMMAND --help' lists the options of a command.", reader, 0) +
         section("Examples:", examples_text(program.program));
}

std::string command_help(const CommandInfo& command, const Terminal& terminal) {
  const Terminal reader = reader_of(terminal);
  std::vector<std::pair<std::string, std::string>> arguments;
  for (const ArgumentInfo& argument : command.arguments) arguments.emplace_back(argument.name, argument.meaning);
  return wrapped(command.meaning, reader, 0) + "\nUsage: dfsweep " + command.name + " " + synopsis(command) + "\n" +
         section("Arguments:", listing(arguments, reader)) + section("Options:", options_text(command, reader)) +
         section("Examples:", examples_text(command));
}

}  // namespace dfsweep
