/// The command that reads files of other programs: import.
#include <memory>

#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/commands/import.hpp"
#include "engine/console/usage_error.hpp"

namespace dfsweep {

void define_import_command(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ImportCalculonOptions>();
  CLI::App* command =
      add_command(program, "import", "Turn files of other programs into catalogue entries and point lists",
                  {"dfsweep import calculon megatron-1T.json a100_80g.json -o my-catalogue",
                   "dfsweep import calculon execution.json --model megatron-1T --system a100_80g -o my-catalogue",
                   "dfsweep import calculon --rows executions.csv -o points.csv",
                   "dfsweep import measured rows.csv -o points.csv"});
  const auto kind = std::make_shared<std::string>();
  command->add_option("KIND", *kind, "whose files: calculon, measured")
      ->required()
      ->type_name("")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return text == "calculon" || text == "measured" ? "" : "write calculon or measured, not " + text;
          },
          ""));
  command
      ->add_option(
          "FILE", options->files,
          "models, systems and executions (.json), tables of models or of systems (.csv); a table of measured rows")
      ->type_name("");
  command->add_option("--rows", options->rows, "a table of executions, a line each, as point list")->type_name("FILE");
  command
      ->add_option("-o,--output", options->output,
                   "folder of a catalogue to write entries and points.csv to; with --rows the point list")
      ->required()
      ->type_name("OUT");
  command->add_option("--model", options->model, "model of the executions")->type_name("NAME");
  command->add_option("--system", options->system, "system of the executions")->type_name("NAME");
  add_quiet(command, options->verbosity);
  command->callback([options, kind, &action] {
    action = [options, kind] {
      if (*kind == "calculon") return run_import_calculon(*options);
      if (options->files.size() != 1) throw UsageError("give one table of measured rows");
      return run_import_measured({options->files.front(), options->output, {}, options->verbosity});
    };
  });
}

}  // namespace dfsweep
