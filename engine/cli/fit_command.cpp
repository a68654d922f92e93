/// The command fit.
#include <memory>
#include <string>

#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/commands/fit.hpp"

namespace dfsweep {
namespace {

CLI::Validator positive_number(double most) {
  return {[most](const std::string& text) {
            try {
              std::size_t used = 0;
              const double number = std::stod(text, &used);
              if (used == text.size() && number > 0.0 && number <= most) return std::string();
            } catch (const std::exception&) {  // no number at all
            }
            return "write a number above 0, not " + text;
          },
          ""};
}

void add_input(CLI::App* command, FitOptions& options) {
  command->add_option("--columns", options.columns, "what columns of other files mean: learning_rate=lr,loss=final,...")
      ->type_name("NAME=COLUMN,...");
  command
      ->add_option("--sequence-length", options.sequence_length,
                   "tokens of a sequence where a file does not say (2048)")
      ->type_name("TOKENS")
      ->check(positive_number(1e12));
  command->add_flag_callback(
      "--stream", [&options] { options.memory = FitOptions::Memory::stream; },
      "keep sums of the groups only, as with files too large for memory");
}

void add_questions(CLI::App* command, FitOptions& options) {
  command
      ->add_option("--threshold", options.threshold,
                   "kept runs: loss over the group's least, minus 1, is below this (0.0025)")
      ->type_name("REL")
      ->check(positive_number(10.0));
  command->add_option("--law", options.law, "law to write and draw (default: the recommended one)")
      ->type_name("FAMILY/FORM/METHOD");
  command
      ->add_option_function<std::uint64_t>(
          "--seed", [&options](const std::uint64_t& seed) { options.seed = seed; },
          "of the resamples (42), of the self-test (1)")
      ->type_name("N")
      ->check(whole_number(0));
  command->add_option("--replicates", options.replicates, "resamples of each bootstrap (10000); 0: none")
      ->type_name("N")
      ->check(whole_number(0));
  command
      ->add_option("--predict", options.predict,
                   "parameters, tokens and activated parameters to predict at; may be repeated")
      ->type_name("N,D[,Na]")
      ->allow_extra_args(false);
  command->add_option("--parameter-sets", options.parameter_sets, "apply an ensemble of laws from a CSV file as well")
      ->type_name("FILE");
}

}  // namespace

void define_fit_command(CLI::App& program, Action& action) {
  const auto options = std::make_shared<FitOptions>();
  CLI::App* command =
      add_command(program, "fit", "laws of the optimal learning rate and batch size from training runs",
                  {"dfsweep fit steplaw runs.csv --predict 7e9,1.4e12",
                   "dfsweep fit steplaw dense.csv moe.csv -o law.toml -o fit.h5 --plots pictures",
                   "dfsweep fit steplaw runs.csv --columns learning_rate=peak_lr,batch_tokens=tokens_per_step --json"});
  command->add_option("KIND", options->kind, "what to fit: steplaw")
      ->required()
      ->type_name("")
      ->check(CLI::Validator(
          [](const std::string& kind) { return kind == "steplaw" ? "" : "write steplaw, not " + kind; }, ""));
  command->add_option("RUNS", options->runs, "training runs: CSV files, result files or run directories")
      ->type_name("");
  command
      ->add_option("-o,--output", options->outputs,
                   "write the law (.toml, .json: for sweeps) or everything (.h5); may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->add_option("--plots", options->plots, "write pictures (SVG) of every group and of the law to this folder")
      ->type_name("DIR");
  add_input(command, *options);
  add_questions(command, *options);
  command->add_flag_callback(
      "--self-test", [options] { options->task = FitOptions::Task::self_test; },
      "how often the intervals cover a known truth, by simulation of the given runs' design");
  command->add_option("--sets", options->sets, "simulated sets of the self-test (2000)")
      ->type_name("N")
      ->check(whole_number(1));
  add_threads(command, options->threads);
  add_json(command, options->form);
  add_quiet(command, options->verbosity);
  add_colour(command, options->colour);
  command->callback([options, &action] {
    if (options->runs.empty() && options->task == FitOptions::Task::fit) throw CLI::RequiredError("RUNS");
    action = [options] { return run_fit(*options); };
  });
}

}  // namespace dfsweep
