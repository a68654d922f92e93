#include "engine/commands/fit_batch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/fit/output/batch_law_output.hpp"
#include "io/atomic_file.hpp"
#include "io/diagnostic.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

using namespace fit;

namespace {

/// The sets that are asked for: of one model, or all.
std::vector<BatchRunSet> chosen_sets(const FitOptions& options) {
  std::vector<BatchRunSet> sets = read_batch_runs(options.runs, column_pairs(options.columns));
  if (options.model.empty()) return sets;
  std::vector<std::string> names;
  for (const BatchRunSet& set : sets) names.push_back(set.model);
  std::erase_if(sets, [&](const BatchRunSet& set) { return set.model != options.model; });
  if (sets.empty())
    throw UsageError(fmt::format("--model: there are no runs of '{}'. {}", options.model,
                                 did_you_mean(options.model, names, "Models: " + listed(names, 6) + ".")));
  return sets;
}

void check_outputs(const FitOptions& options) {
  for (const std::filesystem::path& path : options.outputs)
    if (path.extension() != ".toml")
      throw UsageError(
          fmt::format("-o '{}': batch laws are written as .toml; --json prints everything.", path.string()));
}

/// The one law to write to a file. Throws UserError without a law, UsageError with several.
const FittedBatchLaw& law_of_files(const std::vector<FittedBatchLaw>& laws, const FitOptions& options) {
  if (laws.size() > 1) {
    std::vector<std::string> names;
    for (const FittedBatchLaw& law : laws) names.push_back(law.set.model);
    throw UsageError(
        fmt::format("-o: the runs are of several models or targets ({}). Name one with --model.", listed(names, 6)));
  }
  if (laws.front().fit.defect != law_fits::BatchFitDefect::none)
    throw UserError(
        {{{options.runs.front().string(), 0, 0}, "these runs give no law", remarks_of(laws.front()).front(), ""}});
  return laws.front();
}

}  // namespace

ExitStatus run_fit_batch(const FitOptions& options) {
  check_outputs(options);
  std::vector<FittedBatchLaw> laws;
  for (BatchRunSet& set : chosen_sets(options)) laws.push_back(fitted_batch_law(std::move(set)));
  if (!options.outputs.empty()) {
    const FittedBatchLaw& law = law_of_files(laws, options);
    std::string source = "dfsweep fit batch";
    for (const std::filesystem::path& path : options.runs) source += " " + path.filename().string();
    for (const std::filesystem::path& path : options.outputs)
      write_user_file(path, batch_law_toml(law, path.stem().string(), source));
  }
  if (options.form == OutputForm::json)
    write_results(to_text(batch_law_json(laws)));
  else if (options.verbosity == Verbosity::normal)
    write_results(batch_law_text(laws, terminal_of(1, options.colour)));
  return ExitStatus::complete;
}

}  // namespace dfsweep
