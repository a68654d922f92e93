/// One function per command: its options struct is filled by the parser, its help ends with two examples.
#include "engine/cli_commands.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "engine/commands/explain.hpp"
#include "engine/commands/export.hpp"
#include "engine/commands/publish.hpp"
#include "engine/commands/run.hpp"
#include "engine/commands/show.hpp"
#include "engine/commands/status.hpp"
#include "engine/commands/verify.hpp"

namespace dfsweep {
namespace {

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    if (comma > begin) items.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return items;
}

/// Adds a command whose help ends with these examples.
CLI::App* add_command(CLI::App& program, const std::string& name, const std::string& meaning,
                      const std::vector<std::string>& examples) {
  CLI::App* command = program.add_subcommand(name, meaning);
  std::string footer = "Examples:";
  for (const std::string& example : examples) footer += "\n  " + example;
  command->footer(footer);
  return command;
}

void add_json(CLI::App* command, OutputForm& form) {
  command->add_flag_callback(
      "--json", [&form] { form = OutputForm::json; }, "print JSON for programs");
}

void add_quiet(CLI::App* command, Verbosity& verbosity) {
  command->add_flag_callback(
      "--quiet,-q", [&verbosity] { verbosity = Verbosity::quiet; }, "print results and errors only");
}

void add_colour(CLI::App* command, ColourChoice& colour) {
  const std::map<std::string, ColourChoice> choices = {
      {"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}};
  command->add_option("--color", colour, "colour: auto (on terminals; see NO_COLOR), always or never")
      ->transform(CLI::CheckedTransformer(choices).description(""))
      ->type_name("WHEN");
}

CLI::Option* add_list(CLI::App* command, const std::string& name, std::vector<std::string>& list,
                      const std::string& meaning) {
  return command->add_option_function<std::string>(
      name, [&list](const std::string& text) { list = split_list(text); }, meaning);
}

/// Where sweeps find catalogue entries and measured data beside those that come with the program.
void add_reading(CLI::App* command, SweepReading& reading) {
  command
      ->add_option_function<std::vector<std::string>>(
          "--catalogue",
          [&reading](const std::vector<std::string>& folders) {
            reading.catalogues.assign(folders.begin(), folders.end());
          },
          "folder of entries that add to or override the catalogue; may be repeated")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      ->add_option_function<std::vector<std::string>>(
          "--data",
          [&reading](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              const std::size_t equals = text.find('=');
              if (equals == std::string::npos) throw CLI::ValidationError("--data", "write NAME=PATH");
              reading.data.emplace_back(text.substr(0, equals), text.substr(equals + 1));
            }
          },
          "data of the estimator, instead of [data] in the sweep file; may be repeated")
      ->type_name("NAME=PATH")
      ->allow_extra_args(false);
  command
      ->add_option_function<std::string>(
          "--profiles", [&reading](const std::string& path) { reading.data.emplace_back("profiles", path); },
          "folder of measured profiles, the same as --data profiles=DIR")
      ->type_name("DIR");
}

void add_threads(CLI::App* command, std::uint32_t& threads) {
  command->add_option("--threads", threads, "threads per process (default: the cores it may use)")
      ->type_name("N")
      ->check(CLI::Range(1, 65536).description(""));
}

void define_run(CLI::App& program, Action& action) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      add_command(program, "run", "evaluate what is missing of a sweep; the same command continues it",
                  {"dfsweep run sweeps/quickstart.toml",
                   "mpirun -n 4 dfsweep run sweeps/quickstart.toml --out runs/quickstart --time-limit 1:30:00"});
  command->add_option("sweep", options->sweep, "sweep file; - is standard input")->required()->type_name("SWEEP");
  command->add_option("--out", options->directory, "run directory (default: runs/<name of the sweep>)")
      ->type_name("DIR");
  add_threads(command, options->threads);
  command
      ->add_option_function<std::string>(
          "--time-limit",
          [options](const std::string& text) {
            options->time_limit = parse_time_limit(text);
            if (!options->time_limit)
              throw CLI::ValidationError("--time-limit", "write 90, 30m, 2h or 1:30:00, not " + text);
          },
          "stop in time, with status 75: seconds, 30m, 2h or 1:30:00")
      ->type_name("T");
  command
      ->add_option_function<std::string>(
          "--part",
          [options](const std::string& text) {
            const std::optional<Part> part = parse_part(text);
            if (!part) throw CLI::ValidationError("--part", "write i/n with 1 <= i <= n, such as 2/3, not " + text);
            options->part = *part;
          },
          "evaluate the i-th of n parts; whoever completes the set publishes")
      ->type_name("i/n");
  command->add_flag_callback(
      "--fresh", [options] { options->mode = OpenMode::fresh; }, "drop what the run directory holds and start anew");
  CLI::Option* fail_fast = command->add_flag_callback(
      "--fail-fast", [options] { options->allowed_failures = 0; }, "stop at the first point that fails");
  command->add_option("--max-failures", options->allowed_failures, "stop when more than N points have failed")
      ->type_name("N")
      ->excludes(fail_fast);
  add_reading(command, options->reading);
  add_json(command, options->form);
  add_quiet(command, options->verbosity);
  command->callback([options, &action] { action = [options] { return run_sweep(*options); }; });
}

void define_status(CLI::App& program, Action& action) {
  const auto options = std::make_shared<StatusOptions>();
  CLI::App* command = add_command(program, "status", "how far a run is",
                                  {"dfsweep status runs/quickstart", "dfsweep status runs/quickstart --json"});
  command->add_option("directory", options->directory, "run directory")->required()->type_name("DIR");
  add_json(command, options->form);
  command->callback([options, &action] { action = [options] { return run_status(*options); }; });
}

void define_verify(CLI::App& program, Action& action) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App* command =
      add_command(program, "verify", "check every checksum; damaged blocks are left to the next run",
                  {"dfsweep verify runs/quickstart", "dfsweep verify runs/quickstart/result.h5 --json"});
  command->add_option("path", options->path, "run directory or result file")->required()->type_name("DIR|FILE");
  add_threads(command, options->threads);
  add_json(command, options->form);
  add_quiet(command, options->verbosity);
  command->callback([options, &action] { action = [options] { return run_verify(*options); }; });
}

void define_publish(CLI::App& program, Action& action) {
  const auto options = std::make_shared<PublishOptions>();
  CLI::App* command = add_command(program, "publish", "verify a finished run and give its file the final name",
                                  {"dfsweep publish runs/quickstart", "dfsweep publish runs/quickstart --partial"});
  command->add_option("directory", options->directory, "run directory")->required()->type_name("DIR");
  command->add_flag_callback(
      "--partial", [options] { options->completeness = Completeness::partial; },
      "write what is complete; the missing rows have status 'missing'");
  add_threads(command, options->threads);
  add_json(command, options->form);
  add_quiet(command, options->verbosity);
  command->callback([options, &action] { action = [options] { return run_publish(*options); }; });
}

void define_show(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ShowOptions>();
  CLI::App* command =
      add_command(program, "show", "what a result file holds, its best rows, its Pareto fronts",
                  {"dfsweep show runs/quickstart",
                   "dfsweep show runs/quickstart --best step_time --by device --where \"model == 'gpt3-1t'\""});
  command->add_option("file", options->path, "result file or run directory")->required()->type_name("FILE|DIR");
  command->add_option("--best", options->best, "rank rows by this metric, the better ones first")->type_name("METRIC");
  add_list(command, "--by", options->by, "rank apart for every combination of values of these")->type_name("PARAM,...");
  command->add_option("--where", options->where, "only rows for which this holds; labels in quotes")->type_name("EXPR");
  command->add_option("--top", options->top, "rows per ranking (default: 10, with --by 1)")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  add_list(command, "--pareto", options->pareto, "rows that no other beats in all of these metrics")
      ->type_name("M1,M2,...");
  command
      ->add_option_function<std::string>(
          "--columns",
          [options](const std::string& text) {
            options->columns = split_list(text);
            if (options->columns.empty()) options->listing = ShowOptions::Listing::columns;
          },
          "print these columns; without names: list all columns with units and meanings")
      ->expected(0, 1)
      ->type_name("NAME,...");
  add_json(command, options->form);
  add_colour(command, options->colour);
  command->callback([options, &action] { action = [options] { return run_show(*options); }; });
}

void define_explain(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = add_command(
      program, "explain", "everything about one point: what it costs and which bound binds",
      {"dfsweep explain sweeps/quickstart.toml --point 17", "dfsweep explain runs/quickstart --point 17 --json"});
  command->add_option("file", options->path, "sweep file (- is standard input), result file or run directory")
      ->required()
      ->type_name("SWEEP|FILE|DIR");
  command
      ->add_option("--point", options->point,
                   "index in the grid, as in the column 'point'; with [points] the line, from 0")
      ->required()
      ->type_name("N");
  add_reading(command, options->reading);
  add_json(command, options->form);
  add_colour(command, options->colour);
  command->callback([options, &action] { action = [options] { return run_explain(*options); }; });
}

void define_export(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* command = add_command(program, "export", "rows as CSV for other programs",
                                  {"dfsweep export runs/quickstart --format csv -o quickstart.csv",
                                   "dfsweep export runs/quickstart --columns device,topology,step_time -o - | head"});
  command->add_option("file", options->path, "result file or run directory")->required()->type_name("FILE|DIR");
  command->add_option("--format", options->format, "csv")
      ->transform(
          CLI::CheckedTransformer(std::map<std::string, ExportOptions::Format>{{"csv", ExportOptions::Format::csv}})
              .description(""))
      ->type_name("FORMAT");
  command->add_option("-o,--output", options->output, "file to write; - (the default) is standard output")
      ->type_name("OUT");
  add_list(command, "--columns", options->columns, "write these columns, in this order (default: all)")
      ->type_name("NAME,...");
  command->add_option("--where", options->where, "only rows for which this holds; labels in quotes")->type_name("EXPR");
  add_quiet(command, options->verbosity);
  command->callback([options, &action] { action = [options] { return run_export(*options); }; });
}

}  // namespace

void define_commands(CLI::App& program, Action& action) {
  define_run(program, action);
  define_status(program, action);
  define_verify(program, action);
  define_publish(program, action);
  define_show(program, action);
  define_explain(program, action);
  define_export(program, action);
}

}  // namespace dfsweep
