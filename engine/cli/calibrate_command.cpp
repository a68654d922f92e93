/// The command calibrate.
#include <memory>
#include <string>
#include <utility>

#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/commands/calibrate.hpp"
#include "engine/console/usage_error.hpp"

namespace dfsweep {

namespace {

void set_parameter(CalibrateOptions& options, std::pair<std::string, std::string> parameter) {
  for (const auto& [name, value] : options.parameters)
    if (name == parameter.first)
      throw UsageError("--set: '" + name + "' is given twice. Where rows differ, write a column.");
  options.parameters.push_back(std::move(parameter));
}

void add_kernel_options(CLI::App& command, const std::shared_ptr<CalibrateOptions>& options) {
  command
      .add_option("--profiles", options->profiles,
                  "folder of operator tables: numbers are fitted to their kernels first")
      ->type_name("DIR");
  command
      .add_option(
          "--operators", options->operators,
          "folder of measured operators of inference engines, or of a plan: numbers are fitted to their kernels first")
      ->type_name("DIR");
  command.add_flag_callback(
      "--plan", [options] { options->task = CalibrateOptions::Task::plan; },
      "print the products, attention shapes and messages that are best timed on a new machine, for --operators");
  command.add_option("--system", options->system, "machine of the plan, an entry of systems")->type_name("NAME");
  command.add_option("--rows", options->planned_rows, "rows of each family of the plan (default: 20)")
      ->type_name("N")
      ->check(whole_number(1));
  command
      .add_option_function<std::string>(
          "--measured-on",
          [options](const std::string& text) {
            for (const std::string& one : split_list(text))
              options->measured_on.push_back(assignment("--measured-on", one));
          },
          "folders of compute/ and network/ in DIR, and the systems of the catalogue behind them")
      ->type_name("FOLDER=SYSTEM,...");
  command
      .add_option_function<std::string>(
          "--kernels", [options](const std::string& text) { options->kernel_classes = split_list(text); },
          "kernels of the tables that are used: products, attention, vector_work, inside_exchanges, across_exchanges "
          "(default: all)")
      ->type_name("CLASS,...");
}

}  // namespace

void define_calibrate_command(CLI::App& program, Action& action) {
  const auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command =
      add_command(program, "calibrate", "Fit numbers of the catalogue to measured runs, and estimate their errors",
                  {"dfsweep calibrate measured.csv", "dfsweep calibrate measured.csv -o my-stack.toml",
                   "dfsweep calibrate points.measured.csv --fit matrix_memory_share,fixed_time",
                   "dfsweep calibrate --profiles tables --measured-on a100=dgx-a100-80g -o a100-kernels.toml",
                   "dfsweep calibrate --plan --system dgx-h100 -o to-time",
                   "dfsweep calibrate --operators to-time -o my-kernels.toml"});
  command
      ->add_option("ROWS", options->rows,
                   "table of measured runs (.csv, .jsonl, - for standard input): columns named like parameters, and "
                   "one or more like metrics")
      ->type_name("");
  command
      ->add_option("--columns", options->columns,
                   "names of the columns in the table: step_time=Seconds,tensor_parallel=TP,...")
      ->type_name("NAME=COLUMN,...");
  command
      ->add_option("--estimator", options->estimator, "estimator of the rows (default: that of most measured columns)")
      ->type_name("NAME");
  command
      ->add_option_function<std::string>(
          "--fit", [options](const std::string& text) { options->fields = split_list(text); },
          "numbers that may be fitted (default: as many as the rows support)")
      ->type_name("NAME,...");
  command
      ->add_option_function<std::vector<std::string>>(
          "--set",
          [options](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) set_parameter(*options, assignment("--set", text));
          },
          "a parameter that all rows share; may be repeated")
      ->type_name("NAME=VALUE");
  add_kernel_options(*command, options);
  command
      ->add_option("--group", options->group,
                   "column that groups rows with a common factor (default: source; none: no groups)")
      ->type_name("COLUMN");
  command
      ->add_option(
          "--copies-by", options->copies_by,
          "correct a copy of the entry for each value of this column (default: system if all rows name one entry and "
          "OUT is not a file; none: no copies)")
      ->type_name("COLUMN");
  command->add_option("-o,--output", options->output, "output: FILE.toml for a single entry, else a catalogue folder")
      ->type_name("OUT");
  command->add_option("--starts", options->starts, "starts of the fit (default: 10)")
      ->type_name("N")
      ->check(whole_number(1));
  command->add_option("--seed", options->seed, "seed of starts and resamples (default: 42)")
      ->type_name("N")
      ->check(whole_number(0));
  command->add_option("--replicates", options->replicates, "resamples of the rows (default: 1000); 0: none")
      ->type_name("N")
      ->check(whole_number(0));
  command->add_flag_callback(
      "--self-test", [options] { options->task = CalibrateOptions::Task::self_test; },
      "simulate measurements of these rows with known truth, and count how often intervals hold it");
  command->add_option("--sets", options->sets, "simulated measurements of the self-test (default: 500)")
      ->type_name("N")
      ->check(whole_number(1));
  add_catalogue(command, options->catalogues);
  add_threads(command, options->threads);
  add_json(command, options->form);
  add_colour(command, options->colour);
  add_quiet(command, options->verbosity);
  command->callback([options, &action] { action = [options] { return run_calibrate(*options); }; });
}

}  // namespace dfsweep
