/// Fit: runs are read, everything is computed, and what was asked for is written.
#include "engine/commands/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "engine/commands/collective.hpp"
#include "engine/console/error_report.hpp"
#include "engine/console/output.hpp"
#include "engine/console/output_form.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/fit/output/json.hpp"
#include "engine/fit/output/law_file.hpp"
#include "engine/fit/output/pictures.hpp"
#include "engine/fit/output/self_test.hpp"
#include "engine/fit/output/tables.hpp"
#include "engine/fit/output/text.hpp"
#include "engine/fit/report/make_report.hpp"
#include "engine/fit/report/parameter_sets.hpp"
#include "engine/fit/report/self_test.hpp"
#include "engine/parallel/agreement.hpp"
#include "engine/parallel/threads.hpp"
#include "io/atomic_file.hpp"
#include "io/csv_blocks.hpp"
#include "io/diagnostic.hpp"
#include "models/law_fits/runs/step_law_design.hpp"

namespace dfsweep {

using namespace fit;
using namespace law_fits;
namespace {

constexpr std::uint64_t default_seed = 42;
/// The estimator `hyperparameters` takes no more either.
constexpr double most_predicted = 1e30;

bool is_scale(const CsvNumber& number) {
  return number.is_number && number.value >= 1.0 && number.value <= most_predicted;
}

/// "7e9,1.4e12" or "2.15e9,2e10,1.9e8".
TrainingScale scale_of(const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const CsvNumber number = csv_number(std::string_view(text).substr(begin, comma - begin));
    if (!is_scale(number)) numbers.clear();
    if (!is_scale(number)) break;
    numbers.push_back(number.value);
    begin = comma + 1;
  }
  if (numbers.size() < 2 || numbers.size() > 3)
    throw UsageError(fmt::format(
        "--predict: write N,D or N,D,Na (parameters, tokens, activated parameters; numbers from 1 to 1e30), "
        "as in 7e9,1.4e12, not '{}'.",
        text));
  const double activated = numbers.size() == 3 ? numbers[2] : numbers[0];
  if (activated > numbers[0])
    throw UsageError(fmt::format("--predict: '{}' has more activated parameters than parameters.", text));
  constexpr double flops_per_parameter = 6.0;
  return {.parameters = numbers[0],
          .activated_parameters = activated,
          .train_tokens = numbers[1],
          .flops_per_token = flops_per_parameter * activated,
          .loss = 0.0};
}

Json with_member(Json json, std::string name, Json member) {
  JsonObject object = json.object();
  object.emplace_back(std::move(name), std::move(member));
  return object;
}

/// Whether -o names a law, for sweeps, rather than all that was computed.
bool is_law(const std::filesystem::path& path) {
  return path.extension() != ".h5";
}

class FitRun {
 public:
  FitRun(const FitOptions& options, Communicator& communicator) : options_(options), communicator_(communicator) {}

  ExitStatus execute() {
    const ThreadChoice choice = choose_threads(options_.threads, communicator_);
    if (is_first() && !choice.warning.empty() && options_.verbosity == Verbosity::normal) write_message(choice.warning);
    settings_.threads = choice.threads;
    if (const auto failed = agree(communicator_, [this] { prepare(); })) return *failed;
    if (options_.task == FitOptions::Task::self_test)
      return agree_on_first(communicator_, [this] { test_intervals(); }).value_or(ExitStatus::complete);
    if (options_.memory == FitOptions::Memory::stream || input_->is_large()) return fit_streamed();
    const auto failed = agree_on_first(communicator_, [this] {
      const LoadedRuns loaded = load_runs(*input_, settings_.threads);
      write(with_remarks(report_of(loaded, settings_)), loaded.findings);
    });
    return failed.value_or(ExitStatus::complete);
  }

 private:
  [[nodiscard]] bool is_first() const { return communicator_.rank() == 0; }

  void prepare() {
    for (const std::filesystem::path& path : options_.outputs)
      if (path.extension() != ".toml" && path.extension() != ".json" && path.extension() != ".h5")
        throw UsageError(fmt::format("-o '{}': laws are written as .toml or .json, everything as .h5.", path.string()));
    settings_.threshold = options_.threshold;
    settings_.seed = options_.seed.value_or(default_seed);
    settings_.replicates = options_.replicates;
    settings_.sequence_length = options_.sequence_length;
    settings_.budgets = options_.budgets;
    for (const std::string& text : options_.predict) settings_.predict.push_back(scale_of(text));
    if (!options_.parameter_sets.empty()) sets_ = read_parameter_sets(options_.parameter_sets, settings_.predict);
    const auto is_input = [](const std::filesystem::path& path) { return path == "-"; };
    if (communicator_.size() > 1 && std::any_of(options_.runs.begin(), options_.runs.end(), is_input))
      throw UsageError("RUNS: only one process can read standard input. Write the runs to a file, or use no mpirun.");
    input_.emplace(options_.runs, RunReading{column_pairs(options_.columns), options_.sequence_length});
  }

  /// The design is that of the given runs, else the published one.
  void test_intervals() const {
    const SelfTestSettings settings{options_.sets, options_.seed.value_or(SelfTestSettings{}.seed), settings_.threads};
    const GroupedRuns design =
        options_.runs.empty() ? step_law_design() : group_runs(load_runs(*input_, settings_.threads).runs);
    const SelfTest test = run_self_test(design, settings);
    write_results(options_.form == OutputForm::json ? to_text(self_test_json(test))
                                                    : self_test_text(test, terminal_of(1, options_.colour)));
  }

  ExitStatus fit_streamed() {
    std::optional<StreamedRuns> streamed;
    try {
      streamed = stream_runs(*input_, windows_of(settings_), settings_.threads, communicator_);
    } catch (const UserError&) {
      if (communicator_.size() == 1) throw;
      if (is_first()) std::fputs(dfsweep::report_of(std::current_exception()).text.c_str(), stderr);
      return ExitStatus::invalid_input;  // every rank has seen it
    }
    if (!is_first()) return ExitStatus::complete;
    const RunFindings findings = std::move(streamed->findings);
    FitReport report = report_of(std::move(*streamed), settings_);
    warn_about_seeds(report);
    write(with_remarks(std::move(report)), findings);
    return ExitStatus::complete;
  }

  void warn_about_seeds(FitReport& report) const {
    for (const auto& file : input_->files())
      if (file->has_seeds())
        report.warnings.push_back(fmt::format(
            "{}: runs that differ in the seed alone count as runs of their own, because only sums per group "
            "were kept",
            file->name()));
  }

  /// With what the files themselves give reason to say, first.
  [[nodiscard]] FitReport with_remarks(FitReport report) const {
    std::vector<std::string> remarks;
    for (const auto& file : input_->files())
      for (std::string& remark : file->remarks()) remarks.push_back(std::move(remark));
    report.warnings.insert(report.warnings.begin(), remarks.begin(), remarks.end());
    return report;
  }

  /// What --law names, and what is to be written or drawn, has to be a law that was fitted.
  void check_law(const FitReport& report) const {
    const std::string name = chosen_law(report);
    if (is_law_with_interval(report, name)) return;
    const FitDefect defect = (options_.law.empty() ? find_named : fit_named)(report, name).fit.defect;
    const bool needs_law = !options_.plots.empty() || std::any_of(options_.outputs.begin(), options_.outputs.end(),
                                                                  [](const auto& path) { return is_law(path); });
    if (!needs_law || defect == FitDefect::none) return;
    throw UserError({{{input_->files().front()->name(), 0, 0},
                      "these runs give no law",
                      fmt::format("{}: {}", name, describe(defect)),
                      "Without law files and pictures the command says what they do give; -o FILE.h5 holds it"}});
  }

  void write_files(const FitReport& report) const {
    std::string source = "dfsweep fit steplaw";
    for (const auto& file : input_->files()) source += " " + file->name();
    for (const std::filesystem::path& path : options_.outputs) {
      if (!is_law(path)) {
        write_user_file(path, fit_file(report));
        continue;
      }
      const LawFile law = law_file_of(report, chosen_law(report), path.stem().string(), source);
      write_user_file(path, path.extension() == ".toml" ? law_toml(law) : law_json(law));
    }
  }

  void write_pictures(const FitReport& report) const {
    const std::string name = chosen_law(report);
    const NamedLaw named = law_named(report, name);
    const ScatteredLaw* scattered = named.has_interval ? &report.predicted.recommended->scattered : nullptr;
    const DrawnLaw law{name, *named.form, named.law, scattered,
                       scattered != nullptr ? fitted_optima(*scattered)
                                            : fitted_optima(report, named.subset, fit_named(report, name).fit.method)};
    for (const auto& [file, svg] : fit_pictures(report, law))
      write_picture(with_ending(options_.plots / file, options_.plot_format), svg);
  }

  /// What --law names, else the recommended law, else the step law authors' estimator with the richest form.
  [[nodiscard]] std::string chosen_law(const FitReport& report) const {
    if (!options_.law.empty()) return options_.law;
    if (report.predicted.recommended) return report.predicted.recommended->name(report.fitted.subsets);
    return fmt::format("{}/unified/{}", report.fitted.subsets.back().name,
                       method_name({LawEstimator::kept_rows, settings_.threshold}));
  }

  void write(const FitReport& report, const RunFindings& findings) const {
    check_law(report);
    write_files(report);
    if (!options_.plots.empty()) write_pictures(report);
    const FitInput from{*input_, findings};
    const Terminal terminal = terminal_of(1, options_.colour);
    if (options_.form == OutputForm::json) {
      Json json = fit_json(report, from);
      if (sets_)
        json = with_member(std::move(json), "parameter_sets", parameter_sets_json(*sets_, settings_.sequence_length));
      write_results(to_text(json));
    } else
      write_results(options_.verbosity == Verbosity::quiet ? short_fit_text(report, terminal)
                                                           : fit_text(report, from, terminal));
  }

  const FitOptions& options_;
  Communicator& communicator_;
  FitSettings settings_;
  std::optional<RunInput> input_;
  std::optional<ParameterSets> sets_;
};

}  // namespace

ExitStatus run_fit(const FitOptions& options) {
  check_picture_format("--png", options.plot_format);
  return run_collectively([&](Communicator& communicator) { return FitRun(options, communicator).execute(); });
}

}  // namespace dfsweep
