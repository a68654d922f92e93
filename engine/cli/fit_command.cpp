/// The command fit.
#include <memory>
#include <string>

#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/commands/fit.hpp"
#include "engine/commands/fit_batch.hpp"

namespace dfsweep {
namespace {

CLI::Validator positive_number(double most) {
  return {[most](const std::string& text) {
            try {
              std::size_t used = 0;
              const double number = std::stod(text, &used);
              if (used == text.size() && number > 0.0 && number <= most) return std::string();
            } catch (const std::exception&) {  // not a number
            }
            return "must be a number above 0, not " + text;
          },
          ""};
}

void add_input(CLI::App* command, FitOptions& options) {
  command
      ->add_option("--columns", options.columns,
                   "names of the columns in the input files: learning_rate=lr,loss=final,...")
      ->type_name("NAME=COLUMN,...");
  command
      ->add_option("--sequence-length", options.sequence_length,
                   "tokens per sequence where a file has no such column (default: 2048)")
      ->type_name("TOKENS")
      ->check(positive_number(1e12));
  command->add_flag_callback(
      "--stream", [&options] { options.memory = FitOptions::Memory::stream; },
      "keep only sums per group in memory; automatic for large files");
}

void add_questions(CLI::App* command, FitOptions& options) {
  command
      ->add_option("--threshold", options.threshold,
                   "keep runs whose loss is less than this fraction above the lowest of their group (default: 0.0025)")
      ->type_name("REL")
      ->check(positive_number(10.0));
  command->add_option("--law", options.law, "law to write and draw (default: the recommended one)")
      ->type_name("FAMILY/FORM/METHOD");
  command
      ->add_option_function<std::uint64_t>(
          "--seed", [&options](const std::uint64_t& seed) { options.seed = seed; },
          "seed of the bootstrap (default: 42) and of the self-test (default: 1)")
      ->type_name("N")
      ->check(whole_number(0));
  command
      ->add_option("--replicates", options.replicates, "replicates of each bootstrap (default: 10000); 0: no bootstrap")
      ->type_name("N")
      ->check(whole_number(0));
  command
      ->add_option("--predict", options.predict,
                   "predict for this number of parameters, tokens and activated parameters; may be repeated")
      ->type_name("N,D[,Na]")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--budget", options.budgets,
          "print the model and tokens with the least loss for this many FLOP; may be repeated (default: decades)")
      ->type_name("FLOP")
      ->check(positive_number(1e40))
      ->allow_extra_args(false);
  command->add_option("--parameter-sets", options.parameter_sets, "also apply the laws of this CSV file")
      ->type_name("FILE");
}

}  // namespace

void define_fit_command(CLI::App& program, Action& action) {
  const auto options = std::make_shared<FitOptions>();
  CLI::App* command = add_command(
      program, "fit", "Fit laws of the learning rate, the batch size and the samples to a target to training runs",
      {"dfsweep fit steplaw runs.csv --predict 7e9,1.4e12",
       "dfsweep fit steplaw dense.csv moe.csv -o law.toml -o fit.h5 --plots pictures",
       "dfsweep fit steplaw runs.csv --columns learning_rate=peak_lr,batch_tokens=tokens_per_step --json",
       "dfsweep fit batch runs.csv --model llama3.1-8b -o llama-8b.toml"});
  command
      ->add_option(
          "KIND", options->kind,
          "what to fit: steplaw (optimal learning rate and batch), batch (samples to a target against the batch)")
      ->required()
      ->type_name("")
      ->check(CLI::Validator(
          [](const std::string& kind) {
            return kind == "steplaw" || kind == "batch" ? "" : "must be steplaw or batch, not " + kind;
          },
          ""));
  command
      ->add_option(
          "RUNS", options->runs,
          "training runs: CSV files, JSON lines (.jsonl), result files or run directories; - for standard input")
      ->type_name("");
  command
      ->add_option("-o,--output", options->outputs,
                   "write the law (.toml, .json) or all results (.h5); may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->add_option("--plots", options->plots, "write plots (SVG) of every group and of the law to this folder")
      ->type_name("DIR");
  command->add_flag_callback(
      "--png", [options] { options->plot_format = PictureFormat::png; }, "write the plots as PNG, not SVG");
  command->add_option("--model", options->model, "batch: fit only the runs of this model")->type_name("NAME");
  add_input(command, *options);
  add_questions(command, *options);
  command->add_flag_callback(
      "--self-test", [options] { options->task = FitOptions::Task::self_test; },
      "simulate runs with a known law and count how often the intervals contain it");
  command->add_option("--sets", options->sets, "number of simulated sets of runs in the self-test (default: 2000)")
      ->type_name("N")
      ->check(whole_number(1));
  add_threads(command, options->threads);
  add_json(command, options->form);
  add_quiet(command, options->verbosity);
  add_colour(command, options->colour);
  command->callback([options, &action] {
    if (options->runs.empty() && options->task == FitOptions::Task::fit) throw CLI::RequiredError("RUNS");
    if (options->kind == "batch")
      action = [options] { return run_fit_batch(*options); };
    else
      action = [options] { return run_fit(*options); };
  });
}

}  // namespace dfsweep
