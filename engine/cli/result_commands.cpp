/// The commands on results and inputs: show, explain, compare, export, describe, profiles.
#include <memory>
#include <string>

#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/commands/compare.hpp"
#include "engine/commands/describe.hpp"
#include "engine/commands/explain.hpp"
#include "engine/commands/export.hpp"
#include "engine/commands/generate_profiles.hpp"
#include "engine/commands/join.hpp"
#include "engine/commands/profiles.hpp"
#include "engine/commands/show.hpp"

namespace dfsweep {
namespace {

void define_show(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ShowOptions>();
  CLI::App* command = add_command(
      program, "show", "Show a result: summary, best rows, Pareto front, plots",
      {"dfsweep show runs/quickstart",
       "dfsweep show runs/quickstart --pareto step_time,system_cost --where \"device == 'h100'\" --plot front.svg"});
  command->add_option("FILE|DIR", options->path, "result file or run directory")->required()->type_name("");
  command->add_option("--best", options->best, "rank the rows by this metric, best first")->type_name("METRIC");
  add_list(command, "--by", options->by, "one ranking for each combination of values of these parameters")
      ->type_name("PARAM,...");
  command->add_option("--where", options->where, "use only rows for which this expression is true; put names in quotes")
      ->type_name("EXPR");
  command->add_option("--top", options->top, "rows per ranking (default: 10, or 1 per group)")
      ->type_name("N")
      ->check(whole_number(1));
  add_list(command, "--pareto", options->pareto, "show the Pareto front of these metrics")->type_name("M1,M2,...");
  command->add_flag_callback(
      "--one-per-tie", [options] { options->ties = ShowOptions::Ties::one; },
      "of rows whose values agree to four digits, show the first");
  command
      ->add_option_function<std::string>(
          "--columns",
          [options](const std::string& text) {
            options->columns = split_list(text);
            if (options->columns.empty()) options->listing = ShowOptions::Listing::columns;
            if (options->columns != std::vector<std::string>{"all"}) return;
            options->columns.clear();
            options->listing = ShowOptions::Listing::whole_rows;
          },
          "print these columns; all: every metric; without names: list the columns with units and meanings")
      ->expected(0, 1)
      ->type_name("NAME,...");
  command->add_flag_callback(
      "--rejections", [options] { options->listing = ShowOptions::Listing::rejections; },
      "count the points that a search tried by status, for each reported point");
  add_list(command, "--sensitivity", options->sensitivity,
           "say what would help these metrics most at the first rows (up to three)")
      ->type_name("METRIC,...");
  command
      ->add_option("--plot", options->plot,
                   "draw the rows shown (front, bars, lines or heat map) to this file: SVG (.svg) or PNG (.png)")
      ->type_name("FILE");
  add_json(command, options->form);
  add_colour(command, options->colour);
  command->callback([options, &action] { action = [options] { return run_show(*options); }; });
}

void define_explain(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = add_command(program, "explain", "Explain one point: its costs, and what limits it",
                                  {"dfsweep explain sweeps/quickstart.toml --point 0 --drawing mapping.svg",
                                   "dfsweep explain sweeps/studies/serve-70b.toml --point 0 --launch vllm"});
  command->add_option("SWEEP|FILE|DIR", options->path, "sweep file (- is standard input), result file or run directory")
      ->required()
      ->type_name("");
  command
      ->add_option("--point", options->point,
                   "index of the point (column 'point'); with [points]: its line, from 0 (default: the row that 'show' "
                   "puts first; the only point of a sweep)")
      ->type_name("N")
      ->check(whole_number(0));
  command
      ->add_option(
          "--drawing", options->drawing,
          "draw the mapping, or the pipeline over time, to this file: SVG (.svg), PNG (.png) or Graphviz (.dot)")
      ->type_name("FILE");
  const auto add_listing = [&](const char* option, const char* name, const char* meaning) {
    command
        ->add_option_function<std::string>(
            option, [options, name](const std::string& file) { options->listings.emplace_back(name, file); }, meaning)
        ->type_name("FILE.csv");
  };
  add_listing("--requests", "requests", "write every request of a simulated run to this file");
  add_listing("--batches", "batches", "write every batch of a simulated run to this file");
  command->add_flag_callback(
      "--full", [options] { options->length = ExplainOptions::Length::full; },
      "print everything: all parameters, all metrics, every table");
  command
      ->add_option_function<std::string>(
          "--sensitivity", [options](const std::string& text) { options->sensitivity = split_list(text); },
          "say what would help most: how these metrics change with every number and choice of the point")
      ->type_name("METRIC,...");
  command
      ->add_option("--launch", options->launch,
                   "print the launch commands of the point instead: of serving with vllm, sglang or trtllm; of "
                   "training and calculon with megatron, torchtitan, maxtext or nemo")
      ->type_name("PROGRAM");
  add_reading(command, options->reading);
  add_json(command, options->form);
  add_colour(command, options->colour);
  command->callback([options, &action] { action = [options] { return run_explain(*options); }; });
}

void define_compare(CLI::App& program, Action& action) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command = add_command(
      program, "compare", "Compare a result with measured rows: errors by group, worst rows, plot",
      {"dfsweep compare runs/mine runs.csv", "dfsweep compare runs/mine runs.csv --by model --plot errors.svg"});
  command->add_option("FILE|DIR", options->path, "result file or run directory")->required()->type_name("");
  command
      ->add_option("ROWS", options->rows,
                   "CSV file or JSON lines: columns named like parameters say which row is meant, those named like "
                   "metrics what was measured; - is standard input")
      ->required()
      ->type_name("");
  command->add_option("--columns", options->columns, "names of the columns in ROWS: step_time=Seconds,...")
      ->type_name("NAME=COLUMN,...");
  command
      ->add_option("--by", options->group,
                   "one line of errors for each value of this column (default: group or source)")
      ->type_name("COLUMN");
  command->add_option("--metric", options->metric, "compare this metric only (default: every one that was measured)")
      ->type_name("METRIC");
  command->add_option("--worst", options->worst, "number of worst rows to list (default: 5)")
      ->type_name("N")
      ->check(whole_number(0));
  command
      ->add_option("--plot", options->plot,
                   "draw predicted over measured, of the first metric, to this file: SVG (.svg) or PNG (.png)")
      ->type_name("FILE");
  add_json(command, options->form);
  add_colour(command, options->colour);
  command->callback([options, &action] { action = [options] { return run_compare(*options); }; });
}

void define_join(CLI::App& program, Action& action) {
  const auto options = std::make_shared<JoinOptions>();
  CLI::App* command = add_command(program, "join", "Add measured rows as columns to a copy of a result",
                                  {"dfsweep join runs/mine runs.csv -o measured.h5",
                                   "dfsweep join runs/mine runs.csv -o measured.h5 --columns \"step_time=Step Time\""});
  command->add_option("RESULT", options->path, "result file or run directory")->required()->type_name("");
  command->add_option("ROWS", options->rows, "measured rows (CSV, JSON lines; - is standard input)")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options->output, "result file to write")->required()->type_name("OUT.h5");
  command->add_option("--columns", options->columns, "names of columns of ROWS: step_time=Step Time,...")
      ->type_name("NAME=COLUMN,...");
  add_json(command, options->form);
  command->callback([options, &action] { action = [options] { return run_join(*options); }; });
}

void define_export(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* command =
      add_command(program, "export", "Write rows as CSV, Parquet or Arrow",
                  {"dfsweep export runs/quickstart --columns device,topology,step_time -o quickstart.parquet",
                   "dfsweep export runs/quickstart --points --best step_time --top 20 -o best.csv"});
  command->add_option("FILE|DIR", options->path, "result file or run directory")->required()->type_name("");
  command
      ->add_option_function<std::string>(
          "--format",
          [options](const std::string& text) {
            if (text != "csv" && text != "parquet" && text != "arrow")
              throw CLI::ValidationError("--format", "must be csv, parquet or arrow, not " + text);
            options->format = text == "csv"       ? ExportFormat::csv
                              : text == "parquet" ? ExportFormat::parquet
                                                  : ExportFormat::arrow;
          },
          "csv, parquet or arrow (default: by the ending of OUT, else csv)")
      ->type_name("FORMAT");
  command
      ->add_option_function<std::string>(
          "--compression",
          [options](const std::string& text) {
            if (text != "none" && text != "zstd")
              throw CLI::ValidationError("--compression", "must be none or zstd, not " + text);
            options->compression = text == "zstd" ? Compression::zstd : Compression::none;
          },
          "of parquet (default: zstd) and arrow (default: none)")
      ->type_name("none|zstd");
  command->add_option("-o,--output", options->output, "file to write (default: -, standard output)")->type_name("OUT");
  CLI::Option* columns =
      add_list(command, "--columns", options->columns, "write these columns in this order (default: all)")
          ->type_name("NAME,...");
  command
      ->add_flag_callback(
          "--points", [options] { options->form = ExportForm::points; },
          "write a point list for [points] of another sweep: the parameters that vary, with their units")
      ->excludes(columns);
  command->add_option("--where", options->where, "use only rows for which this expression is true; put names in quotes")
      ->type_name("EXPR");
  CLI::Option* best =
      command->add_option("--best", options->best, "write only the best rows by this metric")->type_name("METRIC");
  command->add_option("--top", options->top, "number of best rows (default: 100)")
      ->type_name("N")
      ->check(whole_number(1))
      ->needs(best);
  add_threads(command, options->threads);
  add_quiet(command, options->verbosity);
  command->callback([command, options, &action] {
    if (command->count("--format") == 0) options->format = format_of_ending(options->output);
    if (options->format != ExportFormat::csv && options->form == ExportForm::points)
      throw CLI::ValidationError("--points", "writes CSV only");
    if (options->format == ExportFormat::csv && options->compression)
      throw CLI::ValidationError("--compression", "is for --format parquet and arrow; csv is text");
    if (options->format != ExportFormat::csv && options->output == "-")
      throw CLI::ValidationError("--format", options->format == ExportFormat::parquet ? "parquet needs a file: -o OUT"
                                                                                      : "arrow needs a file: -o OUT");
    action = [options] { return run_export(*options); };
  });
}

void define_describe(CLI::App& program, Action& action) {
  const auto options = std::make_shared<DescribeOptions>();
  CLI::App* command =
      add_command(program, "describe", "Describe estimators and the catalogue: parameters, metrics, entries, sources",
                  {"dfsweep describe training", "dfsweep describe model llama3-70b"});
  command
      ->add_option("SUBJECT", options->subject,
                   "nothing: list the estimators; ESTIMATOR [WORD...]: its parameters, metrics and statuses; model "
                   "NAME|FILE...: "
                   "sizes; catalogue [KIND [NAME]]: entries")
      ->type_name("");
  CLI::Option* json = command->add_flag_callback(
      "--json", [options] { options->form = DescribeForm::json; }, "print JSON");
  command
      ->add_flag_callback(
          "--markdown", [options] { options->form = DescribeForm::markdown; },
          "print the reference page of an estimator in Markdown")
      ->excludes(json);
  CLI::Option* all = command->add_flag_callback(
      "--all", [options] { options->tables = DescribeTables::all; },
      "list all parameters, metrics and statuses of an estimator with their meanings");
  command
      ->add_flag_callback(
          "--calibration", [options] { options->tables = DescribeTables::calibration; },
          "list the numbers of an estimator that measurements may correct")
      ->excludes(all);
  add_catalogue(command, options->catalogues);
  add_colour(command, options->colour);
  command->callback([options, &action] { action = [options] { return run_describe(*options); }; });
}

/// Options that only --generate has.
CLI::Option* add_generation(CLI::App* command, GenerateProfilesOptions& options) {
  const std::string meaning = "write synthetic tables for tests: rooflines with noise, not measurements";
  CLI::Option* generate = command->add_flag("--generate", meaning);
  const auto add = [&](const char* name, std::vector<std::string>& list, const char* entries) {
    add_list(command, name, list, entries)->type_name("NAME,...")->needs(generate);
  };
  add("--devices", options.devices, "devices of the catalogue to make tables for");
  add("--models", options.models, "models of the catalogue to make tables for");
  add("--networks", options.networks, "networks of the catalogue to make tables for");
  command
      ->add_option("--interconnect", options.interconnect, "interconnect of the catalogue, the links of those networks")
      ->type_name("NAME")
      ->needs(generate);
  add_list(command, "--degrees", options.degrees, "tensor-parallel degrees (default: 1,2,4,8)")
      ->type_name("N,...")
      ->needs(generate);
  command->add_option("--tokens", options.most_tokens, "largest number of tokens (default: 4096)")
      ->type_name("N")
      ->check(number_within(64, 1048576))
      ->needs(generate);
  command->add_option("--noise", options.noise, "relative standard deviation of a measurement (default: 0.01)")
      ->type_name("X")
      ->check(number_within(0, 0.2))
      ->needs(generate);
  command->add_option("--seed", options.seed, "seed of the noise (default: 1)")
      ->type_name("N")
      ->check(whole_number(0))
      ->needs(generate);
  return generate;
}

void define_profiles(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ProfilesOptions>();
  const auto generation = std::make_shared<GenerateProfilesOptions>();
  CLI::App* command = add_command(
      program, "profiles", "Check measured tables: coverage, repeatability, gaps",
      {"dfsweep profiles measured --validate", "dfsweep profiles made --generate --devices h100 --models llama3-8b"});
  command->add_option("DIR", options->folder, "folder that holds compute/ and network/")->required()->type_name("");
  CLI::Option* validate = command->add_flag_callback(
      "--validate", [options] { options->depth = ProfilesDepth::validation; },
      "also cross-validate the predictions of every operator");
  add_catalogue(command, options->catalogues);
  add_threads(command, options->threads);
  add_json(command, options->form);
  add_colour(command, options->colour);
  add_generation(command, *generation)->excludes(validate);
  command->callback([command, options, generation, &action] {
    if (command->count("--generate") == 0) {
      action = [options] { return run_profiles(*options); };
      return;
    }
    generation->folder = options->folder;
    generation->catalogues = options->catalogues;
    generation->form = options->form;
    action = [generation] { return run_generate_profiles(*generation); };
  });
}

}  // namespace

void define_result_commands(CLI::App& program, Action& action) {
  define_show(program, action);
  define_explain(program, action);
  define_report_command(program, action);
  define_compare(program, action);
  define_join(program, action);
  define_merge_command(program, action);
  define_export(program, action);
  define_describe(program, action);
  define_profiles(program, action);
}

}  // namespace dfsweep
