/// Manual pages.
#include "engine/cli/manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "engine/cli/help.hpp"
#include "engine/console/build_info.hpp"

namespace dfsweep {
namespace {

/// Exit statuses and their meanings, printed on every page.
constexpr std::pair<int, const char*> exit_statuses[] = {
    {0, "Everything that was asked for is complete and verified."},
    {1, "Internal error. Please report it."},
    {2, "Wrong usage of the command line."},
    {3, "Invalid sweep file or data file."},
    {4, "Damaged run directory or result file, or one that belongs to another sweep."},
    {5, "Finished, but some points failed."},
    {74, "Input or output error: disk full, no such file."},
    {75, "Stopped early by a signal or the time limit, or the directory is not ready. The same command resumes."}};

constexpr std::pair<const char*, const char*> environment[] = {
    {"DFSWEEP_CATALOGUE", "A folder of entries that add to the catalogue or override it."},
    {"DFSWEEP_PROFILES", "The folder of measured profiles, as --profiles, for estimators that need one."},
    {"NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR", "Turn colour off or on."},
    {"COLUMNS", "Width of the terminal, if it does not report one."}};

/// Escapes a text for roff.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  if (escaped.starts_with('.') || escaped.starts_with('\'')) escaped.insert(0, "\\&");
  return escaped;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string head(const std::string& name, const std::string& meaning) {
  return fmt::format(".TH {} 1 \"\" \"dfsweep {}\" \"dfsweep manual\"\n.SH NAME\n{} \\- {}\n", roff(upper(name)),
                     program_version(), roff(name), roff(meaning));
}

std::string entry(const std::string& bold, const std::string& text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(bold), roff(text));
}

std::string options_text(const CommandInfo& command) {
  std::string text;
  for (const OptionInfo& option : command.options) text += entry(option_synopsis(option), option.meaning);
  return text.empty() ? text : ".SH OPTIONS\n" + text;
}

std::string examples_section(const CommandInfo& command) {
  if (command.examples.empty()) return {};
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const std::string& example : command.examples) text += roff(example) + "\n";
  return text + ".fi\n";
}

std::string statuses_text() {
  std::string text = ".SH EXIT STATUS\n";
  for (const auto& [status, meaning] : exit_statuses) text += entry(std::to_string(status), meaning);
  return text;
}

std::string command_page(const CommandInfo& command) {
  std::string text = head("dfsweep-" + command.name, command.meaning);
  text += fmt::format(".SH SYNOPSIS\n\\fBdfsweep {}\\fR {}\n", roff(command.name), roff(synopsis(command)));
  if (!command.arguments.empty()) text += ".SH ARGUMENTS\n";
  for (const ArgumentInfo& argument : command.arguments) text += entry(argument.name, argument.meaning);
  return text + options_text(command) + examples_section(command) + statuses_text() + ".SH SEE ALSO\n.BR dfsweep (1)\n";
}

std::string program_page(const ProgramInfo& program) {
  std::string text = head("dfsweep", program.program.meaning);
  text += ".SH SYNOPSIS\n\\fBdfsweep\\fR COMMAND [ARGUMENTS] [OPTIONS]\n.SH COMMANDS\n";
  for (const CommandInfo& command : program.commands) text += entry(command.name, command.meaning);
  text += options_text(program.program) + ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : environment) text += entry(name, meaning);
  text += ".SH FILES\n" + entry("sweeps/catalogue/", "The catalogue that comes with the program.");
  text += entry("sweeps/quickstart.toml, sweeps/studies/", "Sweeps that run as they are.");
  text += examples_section(program.program) + statuses_text() + ".SH SEE ALSO\n";
  for (std::size_t c = 0; c < program.commands.size(); ++c)
    text += fmt::format(".BR {} (1){}\n", roff("dfsweep-" + program.commands[c].name),
                        c + 1 < program.commands.size() ? "," : "");
  return text;
}

}  // namespace

std::vector<Page> manual_pages(const ProgramInfo& program) {
  std::vector<Page> pages{{"share/man/man1/dfsweep.1", program_page(program)}};
  for (const CommandInfo& command : program.commands)
    pages.push_back({"share/man/man1/dfsweep-" + command.name + ".1", command_page(command)});
  return pages;
}

}  // namespace dfsweep
