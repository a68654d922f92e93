/// The command import.
#include <array>
#include <memory>

#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/commands/import.hpp"
#include "engine/console/usage_error.hpp"

namespace dfsweep {

namespace {

constexpr std::array<std::string_view, 4> kinds{"calculon", "huggingface", "launch", "measured"};

/// Error message for an unknown kind; "" if it is known.
std::string kind_problem(const std::string& text) {
  for (const std::string_view kind : kinds)
    if (kind == text) return "";
  return "write calculon, huggingface, launch or measured, not " + text;
}

struct ImportArguments {
  std::string kind;
  ImportCalculonOptions calculon;  ///< also holds the options that all kinds share
  std::vector<std::filesystem::path> catalogues;
  std::vector<std::pair<std::string, std::string>> settings;
};

/// The file of a kind that takes exactly one. Throws UsageError.
const std::filesystem::path& only_file(const ImportArguments& arguments, const std::string& what) {
  if (arguments.calculon.files.size() != 1 || !arguments.calculon.rows.empty())
    throw UsageError("give one " + what + " as FILE");
  return arguments.calculon.files.front();
}

ExitStatus run_import(const ImportArguments& arguments) {
  const ImportCalculonOptions& given = arguments.calculon;
  if (arguments.kind == "calculon") return run_import_calculon(given);
  if (arguments.kind == "huggingface")
    return run_import_huggingface(
        {only_file(arguments, "config.json"), given.output, given.model, given.existing, given.verbosity});
  if (!given.rows.empty()) throw UsageError("--rows is for calculon; give the table as FILE");
  if (arguments.kind == "launch")
    return run_import_launch({given.files, given.output, arguments.settings, arguments.catalogues, given.verbosity});
  return run_import_measured(
      {given.files, given.output, arguments.settings, arguments.catalogues, given.existing, given.verbosity});
}

}  // namespace

void define_import_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<ImportArguments>();
  ImportCalculonOptions& options = arguments->calculon;
  CLI::App* command =
      add_command(program, "import", "Turn files of other programs into catalogue entries and point lists",
                  {"dfsweep import calculon megatron-1T.json a100_80g.json -o my-catalogue",
                   "dfsweep import calculon execution.json --model megatron-1T --system a100_80g -o my-catalogue",
                   "dfsweep import calculon --rows executions.csv -o points.csv",
                   "dfsweep import huggingface config.json --model my-model -o my-catalogue",
                   "dfsweep import launch train.sh -o points.csv --set model=llama3-70b --set system=dgx-h100",
                   "dfsweep import measured rows.csv -o points.csv",
                   "dfsweep import measured bench-*.json -o points.csv --set model=llama3-70b --set system=dgx-h100"});
  command->add_option("KIND", arguments->kind, "whose files: calculon, huggingface, launch, measured")
      ->required()
      ->type_name("")
      ->check(CLI::Validator(kind_problem, ""));
  command
      ->add_option(
          "FILE", options.files,
          "calculon: models, systems and executions (.json), tables of models or of systems (.csv); huggingface: "
          "a config.json; launch: scripts with a training command, or its settings (.toml, .yaml); measured: a table "
          "of "
          "rows (.csv), or results of load generators (.json, .csv)")
      ->type_name("");
  command->add_option("--rows", options.rows, "calculon: a table of executions, a line each, as point list")
      ->type_name("FILE");
  command
      ->add_option(
          "-o,--output", options.output,
          "folder of a catalogue to write entries and points.csv to; with --rows, launch and measured the point list")
      ->required()
      ->type_name("OUT");
  command->add_option("--model", options.model, "calculon: model of the executions; huggingface: name of the entry")
      ->type_name("NAME");
  command->add_option("--system", options.system, "calculon: system of the executions")->type_name("NAME");
  command
      ->add_option_function<std::vector<std::string>>(
          "--set",
          [arguments](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) arguments->settings.push_back(assignment("--set", text));
          },
          "launch, and measured with results of load generators: a parameter that all share; may be repeated")
      ->type_name("NAME=VALUE");
  command->add_flag_callback(
      "--force", [&options] { options.existing = foreign::Existing::replace; },
      "overwrite entries that exist with other numbers");
  add_catalogue(command, arguments->catalogues);
  add_quiet(command, options.verbosity);
  command->callback([arguments, &action] { action = [arguments] { return run_import(*arguments); }; });
}

}  // namespace dfsweep
