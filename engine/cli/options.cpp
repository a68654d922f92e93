/// Shared options.
#include "engine/cli/options.hpp"

#include "engine/console/usage_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "engine/console/output_form.hpp"

namespace dfsweep {

CLI::App* add_command(CLI::App& program, const std::string& name, const std::string& meaning,
                      const std::vector<std::string>& examples) {
  CLI::App* command = program.add_subcommand(name, meaning)->group("Commands");
  std::string footer = "Examples:";
  for (const std::string& example : examples) footer += "\n  " + example;
  command->footer(footer);
  return command;
}

std::pair<std::string, std::string> assignment(const std::string& option, const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0) throw UsageError(option + ": write NAME=VALUE, not '" + text + "'.");
  return {text.substr(0, at), text.substr(at + 1)};
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    if (comma > begin) items.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return items;
}

void add_json(CLI::App* command, OutputForm& form) {
  command->add_flag_callback(
      "--json", [&form] { form = OutputForm::json; }, "print JSON");
}

void add_quiet(CLI::App* command, Verbosity& verbosity) {
  command->add_flag_callback(
      "--quiet,-q", [&verbosity] { verbosity = Verbosity::quiet; }, "print only results and errors");
}

void add_colour(CLI::App* command, ColourChoice& colour) {
  command
      ->add_option_function<std::string>(
          "--color",
          [&colour](const std::string& when) {
            const std::map<std::string, ColourChoice> choices = {
                {"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}};
            const auto chosen = choices.find(when);
            if (chosen == choices.end())
              throw CLI::ValidationError("--color", "must be auto, always or never, not " + when);
            colour = chosen->second;
          },
          "use colour: auto (on terminals; see NO_COLOR), always or never")
      ->type_name("WHEN");
}

CLI::Option* add_list(CLI::App* command, const std::string& name, std::vector<std::string>& list,
                      const std::string& meaning) {
  return command->add_option_function<std::string>(
      name, [&list](const std::string& text) { list = split_list(text); }, meaning);
}

CLI::Validator whole_number(std::uint64_t least) {
  return {[least](const std::string& text) {
            std::uint64_t number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            const bool is_right = error == std::errc() && end == text.data() + text.size() && number >= least;
            return is_right ? "" : "must be a whole number of at least " + std::to_string(least) + ", not " + text;
          },
          ""};
}

CLI::Validator number_within(double least, double most) {
  return {[least, most](const std::string& text) {
            double number = 0.0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            const bool is_right =
                error == std::errc() && end == text.data() + text.size() && number >= least && number <= most;
            return is_right ? "" : fmt::format("must be a number from {} to {}, not {}", least, most, text);
          },
          ""};
}

void add_threads(CLI::App* command, std::uint32_t& threads) {
  command->add_option("--threads", threads, "threads per process (default: all cores that the process may use)")
      ->type_name("N")
      ->check(whole_number(1))
      ->check(number_within(1, 65536));
}

void add_catalogue(CLI::App* command, std::vector<std::filesystem::path>& folders) {
  command
      ->add_option_function<std::vector<std::string>>(
          "--catalogue",
          [&folders](const std::vector<std::string>& named) { folders.assign(named.begin(), named.end()); },
          "folder of entries that add to the catalogue or override it; may be repeated")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory.description(""))
      ->allow_extra_args(false);
}

void add_reading(CLI::App* command, SweepReading& reading) {
  add_catalogue(command, reading.catalogues);
  command
      ->add_option_function<std::vector<std::string>>(
          "--data",
          [&reading](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              const std::size_t equals = text.find('=');
              if (equals == std::string::npos) throw CLI::ValidationError("--data", "must be NAME=PATH");
              reading.data.emplace_back(text.substr(0, equals), text.substr(equals + 1));
            }
          },
          "input data of the estimator, replaces [data] of the sweep file; may be repeated")
      ->type_name("NAME=PATH")
      ->allow_extra_args(false);
  command
      ->add_option_function<std::string>(
          "--profiles", [&reading](const std::string& path) { reading.data.emplace_back("profiles", path); },
          "folder of measured profiles; short for --data profiles=DIR")
      ->type_name("DIR");
}

}  // namespace dfsweep
