/// The commands on runs: plan, run, slurm, status, verify, publish.
#include <memory>
#include <string>

#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/commands/plan.hpp"
#include "engine/commands/publish.hpp"
#include "engine/commands/run.hpp"
#include "engine/commands/slurm.hpp"
#include "engine/commands/status.hpp"
#include "engine/commands/verify.hpp"

namespace dfsweep {
namespace {

void define_plan(CLI::App& program, Action& action) {
  const auto options = std::make_shared<PlanOptions>();
  CLI::App* command =
      add_command(program, "plan", "Dry run: grid size, filters, time and disk estimate",
                  {"dfsweep plan sweeps/quickstart.toml", "dfsweep plan sweeps/quickstart.toml --json"});
  command->add_option("SWEEP", options->sweep, "sweep file; - is standard input")->required()->type_name("");
  command
      ->add_option("--out", options->directory,
                   "run directory whose free space is looked up (default: runs/<name of the sweep>)")
      ->type_name("DIR");
  command->add_option("--from", options->from, "result whose rows the run will take, as for run; may be repeated")
      ->type_name("RESULT")
      ->allow_extra_args(false);
  add_reading(command, options->reading);
  add_json(command, options->form);
  add_colour(command, options->colour);
  command->callback([options, &action] { action = [options] { return run_plan(*options); }; });
}

void define_run(CLI::App& program, Action& action, const std::vector<std::string>& arguments) {
  const auto options = std::make_shared<RunOptions>();
  options->resume = resume_command(arguments);
  CLI::App* command =
      add_command(program, "run", "Run a sweep, or resume it",
                  {"dfsweep run sweeps/quickstart.toml",
                   "mpirun -n 4 dfsweep run sweeps/quickstart.toml --out runs/quickstart --time-limit 1:30:00"});
  command->add_option("SWEEP", options->sweep, "sweep file; - is standard input")->required()->type_name("");
  command->add_option("--out", options->directory, "run directory (default: runs/<name of the sweep>)")
      ->type_name("DIR");
  command
      ->add_option("--from", options->from,
                   "result whose rows are taken instead of evaluated, where they fit; may be repeated")
      ->type_name("RESULT")
      ->allow_extra_args(false);
  add_threads(command, options->threads);
  command
      ->add_option_function<std::string>(
          "--time-limit",
          [options](const std::string& text) {
            options->time_limit = parse_time_limit(text);
            if (!options->time_limit)
              throw CLI::ValidationError("--time-limit", "must be like 90, 30m, 2h or 1:30:00, not " + text);
          },
          "stop before this time is over, with status 75: seconds, 30m, 2h or 1:30:00")
      ->type_name("T");
  command
      ->add_option_function<std::string>(
          "--part",
          [options](const std::string& text) {
            const std::optional<store::Part> part = parse_part(text);
            if (!part) throw CLI::ValidationError("--part", "must be i/n with 1 <= i <= n, such as 2/3, not " + text);
            options->part = *part;
          },
          "evaluate part i of n; the part that finishes last publishes the result")
      ->type_name("i/n");
  command->add_flag_callback(
      "--fresh", [options] { options->mode = store::OpenMode::fresh; },
      "delete the results in the run directory and start again");
  CLI::Option* fail_fast = command->add_flag_callback(
      "--fail-fast", [options] { options->allowed_failures = 0; }, "stop at the first failed point");
  command->add_option("--max-failures", options->allowed_failures, "stop when more than N points have failed")
      ->type_name("N")
      ->check(whole_number(0))
      ->excludes(fail_fast);
  add_reading(command, options->reading);
  add_json(command, options->form);
  add_quiet(command, options->verbosity);
  command->callback([options, &action] { action = [options] { return run_sweep(*options); }; });
}

void add_job_resources(CLI::App* command, SlurmOptions& options) {
  const auto add_number = [&](const std::string& name, auto set, const std::string& meaning) {
    command->add_option_function<std::uint32_t>(name, set, meaning)
        ->type_name("N")
        ->check(whole_number(1))
        ->check(number_within(1, 1000000));
  };
  add_number(
      "--array", [&options](std::uint32_t parts) { options.parts = parts; },
      "an array of N tasks without MPI, each of which evaluates a part");
  add_number(
      "--ranks", [&options](std::uint32_t ranks) { options.ranks = ranks; },
      "MPI ranks (default: as many as finish within an hour, at most 64)");
  add_number(
      "--threads", [&options](std::uint32_t threads) { options.threads = threads; },
      "threads of each rank or task (default: at most 8)");
  command
      ->add_option_function<std::string>(
          "--time",
          [&options](const std::string& text) {
            options.time = parse_job_time(text);
            if (!options.time) throw CLI::ValidationError("--time", "must be like 90m, 2h or 1:30:00, not " + text);
          },
          "time limit of one start of the job (default: from the estimate of dfsweep plan)")
      ->type_name("T");
  command->add_option("--partition", options.partition, "partition of the cluster")->type_name("NAME");
  command->add_option("--account", options.account, "account that pays")->type_name("NAME");
  command
      ->add_option_function<std::string>(
          "--launcher",
          [&options](const std::string& word) {
            if (word != "mpirun" && word != "srun")
              throw CLI::ValidationError("--launcher", "must be mpirun or srun, not " + word);
            options.launcher = word == "srun" ? Launcher::srun : Launcher::mpirun;
          },
          "what starts the ranks: mpirun (default) or srun")
      ->type_name("LAUNCHER");
}

void define_slurm(CLI::App& program, Action& action) {
  const auto options = std::make_shared<SlurmOptions>();
  CLI::App* command = add_command(program, "slurm", "Write the job script of a run for Slurm, or submit it",
                                  {"dfsweep slurm sweeps/quickstart.toml --ranks 64 --time 2h",
                                   "dfsweep slurm sweeps/quickstart.toml --array 8 --submit --then report"});
  command->add_option("SWEEP", options->sweep, "sweep file")->required()->type_name("");
  command->add_option("--out", options->directory, "run directory (default: runs/<name of the sweep>)")
      ->type_name("DIR");
  add_job_resources(command, *options);
  command->add_option("--after", options->after, "start only when this job has succeeded")->type_name("JOB");
  command
      ->add_option("--then", options->then,
                   "dfsweep command for a job after the run, with $result for its result file; may be repeated")
      ->type_name("COMMAND")
      ->allow_extra_args(false);
  command->add_option("--setup", options->setup, "line of shell before the run: 'module load openmpi'; may be repeated")
      ->type_name("LINE")
      ->allow_extra_args(false);
  command->add_flag_callback(
      "--submit", [options] { options->submission = Submission::submit; },
      "submit the job and print its identifier, instead of the script");
  command->add_option("-o,--output", options->output, "file for the script")->type_name("FILE");
  add_reading(command, options->reading);
  command->callback([options, &action] { action = [options] { return run_slurm(*options); }; });
}

void define_status(CLI::App& program, Action& action) {
  const auto options = std::make_shared<StatusOptions>();
  CLI::App* command = add_command(program, "status", "Show the progress of a run",
                                  {"dfsweep status runs/quickstart", "dfsweep status runs/quickstart --json"});
  command->add_option("DIR", options->directory, "run directory")->required()->type_name("");
  add_json(command, options->form);
  command->callback([options, &action] { action = [options] { return run_status(*options); }; });
}

void define_verify(CLI::App& program, Action& action) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App* command =
      add_command(program, "verify", "Check every checksum of a result; the next run repairs damaged blocks",
                  {"dfsweep verify runs/quickstart", "dfsweep verify runs/quickstart/result.h5 --json"});
  command->add_option("DIR|FILE", options->path, "run directory or result file")->required()->type_name("");
  add_threads(command, options->threads);
  add_json(command, options->form);
  add_quiet(command, options->verbosity);
  command->callback([options, &action] { action = [options] { return run_verify(*options); }; });
}

void define_publish(CLI::App& program, Action& action) {
  const auto options = std::make_shared<PublishOptions>();
  CLI::App* command = add_command(program, "publish", "Verify a finished run and publish its result file",
                                  {"dfsweep publish runs/quickstart", "dfsweep publish runs/quickstart --partial"});
  command->add_option("DIR", options->directory, "run directory")->required()->type_name("");
  command->add_flag_callback(
      "--partial", [options] { options->completeness = store::Completeness::partial; },
      "write the complete rows of an unfinished run; the others get status 'missing'");
  add_threads(command, options->threads);
  add_json(command, options->form);
  add_quiet(command, options->verbosity);
  command->callback([options, &action] { action = [options] { return run_publish(*options); }; });
}

}  // namespace

void define_run_commands(CLI::App& program, Action& action, const std::vector<std::string>& arguments) {
  define_plan(program, action);
  define_run(program, action, arguments);
  define_slurm(program, action);
  define_status(program, action);
  define_verify(program, action);
  define_publish(program, action);
}

}  // namespace dfsweep
