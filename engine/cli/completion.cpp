/// Completions for bash, zsh and fish.
#include <fmt/format.h>

#include "engine/cli/manual.hpp"

namespace dfsweep {
namespace {

using Kind = ValueChoice::Kind;

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

/// Quotes a text for any of the three shells.
std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::vector<std::string> command_names(const ProgramInfo& program) {
  std::vector<std::string> names;
  for (const CommandInfo& command : program.commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> option_names(const CommandInfo& command) {
  std::vector<std::string> names;
  for (const OptionInfo& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// Completion of the positional arguments: files if any argument is a file.
ValueChoice argument_choice(const CommandInfo& command) {
  ValueChoice choice;
  for (const ArgumentInfo& argument : command.arguments) {
    const ValueChoice one = value_choice(argument.name);
    choice.words.insert(choice.words.end(), one.words.begin(), one.words.end());
    if (one.kind != Kind::anything && choice.kind != Kind::files) choice.kind = one.kind;
  }
  return choice;
}

/// Bash statements that set the candidates.
std::string bash_choice(const ValueChoice& choice) {
  std::string text = ":";
  if (!choice.words.empty()) text += fmt::format("; words={}", shell_quoted(joined(choice.words, " ")));
  if (choice.kind == Kind::files) text += "; paths=-f";
  if (choice.kind == Kind::folders) text += "; paths=-d";
  return text;
}

std::string bash_case(const CommandInfo& command) {
  std::string text = fmt::format("    {})\n      case $before in\n", command.name);
  for (const OptionInfo& option : command.options)
    if (!option.value.empty())
      text += fmt::format("        {}) {};;\n", joined(option.names, "|"), bash_choice(value_choice(option.value)));
  return text + fmt::format("        *) if [[ $word == -* ]]; then words={}; else {}; fi;;\n      esac;;\n",
                            shell_quoted(joined(option_names(command), " ")), bash_choice(argument_choice(command)));
}

/// The action of a value in a zsh _arguments specification.
std::string zsh_action(const ValueChoice& choice) {
  if (!choice.words.empty()) return "(" + joined(choice.words, " ") + ")";
  if (choice.kind == Kind::files) return "_files";
  if (choice.kind == Kind::folders) return "_files -/";
  return " ";
}

/// Escapes a text inside such a specification.
std::string zsh_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_case(const CommandInfo& command) {
  std::string text = fmt::format("    {})\n      _arguments -S \\\n", command.name);
  for (const OptionInfo& option : command.options)
    for (const std::string& name : option.names) {
      const std::string value = option.value.empty()
                                    ? ""
                                    : fmt::format("{}{}:{}", option.value_may_be_left_out ? "::" : ":",
                                                  zsh_escaped(option.value), zsh_action(value_choice(option.value)));
      text += "        " + shell_quoted(fmt::format("*{}[{}]{}", name, zsh_escaped(option.meaning), value)) + " \\\n";
    }
  const std::string arguments = command.arguments.empty() ? "argument" : command.arguments.front().name;
  return text + "        " +
         shell_quoted(fmt::format("*:{}:{}", zsh_escaped(arguments), zsh_action(argument_choice(command)))) + ";;\n";
}

std::string fish_choice(const ValueChoice& choice) {
  if (!choice.words.empty()) return " -x -a " + shell_quoted(joined(choice.words, " "));
  if (choice.kind == Kind::files) return " -r -F";
  if (choice.kind == Kind::folders) return " -x -a '(__fish_complete_directories)'";
  return " -x";
}

std::string fish_option(const OptionInfo& option) {
  std::string text;
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value.empty()) text += fish_choice(value_choice(option.value));
  return text + " -d " + shell_quoted(option.meaning) + "\n";
}

std::string fish_lines(const CommandInfo& command) {
  const std::string start = fmt::format("complete -c dfsweep -n '__fish_seen_subcommand_from {}'", command.name);
  std::string text;
  for (const OptionInfo& option : command.options) text += start + fish_option(option);
  const ValueChoice arguments = argument_choice(command);
  if (!arguments.words.empty()) text += start + " -a " + shell_quoted(joined(arguments.words, " ")) + "\n";
  if (arguments.kind == Kind::files) text += start + " -F\n";
  if (arguments.kind == Kind::folders) text += start + " -a '(__fish_complete_directories)'\n";
  return text;
}

}  // namespace

Page bash_completion(const ProgramInfo& program) {
  const std::string names = joined(command_names(program), " ");
  std::string text = "# Completion of dfsweep for bash, generated from the table behind --help.\n_dfsweep() {\n";
  text += "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= paths=\n";
  text += fmt::format("  if ((COMP_CWORD == 1)); then words={}; fi\n",
                      shell_quoted(names + " help " + joined(option_names(program.program), " ")));
  text += "  if ((COMP_CWORD > 1)); then case ${COMP_WORDS[1]} in\n";
  text += fmt::format("    help) words={};;\n", shell_quoted(names));
  for (const CommandInfo& command : program.commands) text += bash_case(command);
  text +=
      "  esac; fi\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\"; [[ -z $paths ]] || compgen $paths -- \"$word\")\n"
      "  [[ -z $paths ]] || compopt -o filenames 2>/dev/null\n"
      "  return 0\n"
      "}\n"
      "complete -F _dfsweep dfsweep\n";
  return {"share/bash-completion/completions/dfsweep", text};
}

Page zsh_completion(const ProgramInfo& program) {
  std::string text = "#compdef dfsweep\n# Completion of dfsweep for zsh, generated from the table behind --help.\n";
  text += "_dfsweep() {\n  if ((CURRENT == 2)); then\n    local -a commands=(\n";
  for (const CommandInfo& command : program.commands)
    text += "      " + shell_quoted(command.name + ":" + zsh_escaped(command.meaning)) + "\n";
  text += "      'help:List the commands, or the options of one')\n    _describe -t commands command commands\n";
  text += "    return\n  fi\n  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n";
  text += fmt::format("    help) compadd {};;\n", joined(command_names(program), " "));
  for (const CommandInfo& command : program.commands) text += zsh_case(command);
  text += "  esac\n}\n_dfsweep \"$@\"\n";
  return {"share/zsh/site-functions/_dfsweep", text};
}

Page fish_completion(const ProgramInfo& program) {
  std::string text = "# Completion of dfsweep for fish, generated from the table behind --help.\n";
  text += "complete -c dfsweep -f\n";
  for (const CommandInfo& command : program.commands)
    text += fmt::format("complete -c dfsweep -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        shell_quoted(command.meaning));
  text += "complete -c dfsweep -n __fish_use_subcommand -a help -d 'List the commands, or the options of one'\n";
  text += fmt::format("complete -c dfsweep -n '__fish_seen_subcommand_from help' -a {}\n",
                      shell_quoted(joined(command_names(program), " ")));
  for (const OptionInfo& option : program.program.options)
    text += "complete -c dfsweep -n __fish_use_subcommand" + fish_option(option);
  for (const CommandInfo& command : program.commands) text += fish_lines(command);
  return {"share/fish/vendor_completions.d/dfsweep.fish", text};
}

}  // namespace dfsweep
