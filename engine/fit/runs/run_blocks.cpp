/// What is asked of every run, whatever file it comes from.
#include "engine/fit/runs/run_blocks.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "io/number_format.hpp"
#include "models/absent.hpp"

namespace dfsweep::fit {

namespace {

struct DefectWords {
  std::string_view name;
  std::string_view meaning;
};
constexpr std::array<DefectWords, run_defect_count> words = {{
    {"not_a_number", "a value is missing, NaN or infinite: set aside"},
    {"no_result", "the cell of the loss says why there is none, such as OOM or diverged: set aside"},
    {"not_positive", "a value that must be positive is not: set aside"},
    {"stopped_early", "iterations x batch is under 99 % of the training tokens: set aside"},
    {"failed_row", "the status of the result row is not ok: set aside"},
    {"duplicate", "an earlier run repeated in every value: set aside"},
    {"repeated", "learning rate and batch of an earlier run with another loss or seed: their median is one run"},
    {"diverged", "loss more than 20 % above the least of its group: never near an optimum, only in regret counts"},
}};

constexpr double least_share_of_tokens = 0.99;

double value_of(const RawRun& run, RunColumn column) {
  return run.values[static_cast<std::size_t>(column)];
}

}  // namespace

std::string_view name_of(RunDefect defect) {
  return words[static_cast<std::size_t>(defect)].name;
}
std::string_view meaning_of(RunDefect defect) {
  return words[static_cast<std::size_t>(defect)].meaning;
}
bool is_set_aside(RunDefect defect) {
  return defect != RunDefect::repeated && defect != RunDefect::diverged;
}

RunJudge::RunJudge(const RunColumnMap& map, const RunReading& reading, std::uint32_t file, std::uint32_t block)
    : map_(map), sequence_length_(reading.sequence_length), file_(file), block_(block) {
  for (std::size_t c = 0; c < run_column_count; ++c) {
    const auto column = static_cast<RunColumn>(c);
    const bool is_replaced = column == RunColumn::batch_sequences && map.has(RunColumn::batch_tokens);
    if (!is_name(column) && column != RunColumn::step_time && map.has(column) && !is_replaced)
      checked_.push_back(column);
  }
}

void RunJudge::add(const RawRun& run, RunBlock& out) const {
  if (run.failed) return set_aside(run, RunDefect::failed_row, "status is not ok", out);
  for (const RunColumn column : checked_) {
    const double value = value_of(run, column);
    if (!std::isfinite(value))
      return set_aside(run, RunDefect::not_a_number, fmt::format("{} is {}", name_of(column), shortest(value)), out);
    if (value <= 0.0)
      return set_aside(run, RunDefect::not_positive, fmt::format("{} is {}", name_of(column), shortest(value)), out);
  }
  const double length =
      map_.has(RunColumn::sequence_length) ? value_of(run, RunColumn::sequence_length) : sequence_length_;
  const double batch = map_.has(RunColumn::batch_tokens) ? value_of(run, RunColumn::batch_tokens)
                                                         : value_of(run, RunColumn::batch_sequences) * length;
  const double tokens = value_of(run, RunColumn::train_tokens);
  if (map_.has(RunColumn::iterations)) {
    const double seen = value_of(run, RunColumn::iterations) * batch;
    if (seen < least_share_of_tokens * tokens)
      return set_aside(run, RunDefect::stopped_early,
                       fmt::format("{:.1f} % of {} tokens", 100.0 * seen / tokens, shortest(tokens)), out);
  }
  const double parameters = value_of(run, RunColumn::parameters);
  const double activated =
      map_.has(RunColumn::activated_parameters) ? value_of(run, RunColumn::activated_parameters) : parameters;
  out.parameters.push_back(parameters);
  out.activated_parameters.push_back(activated);
  out.train_tokens.push_back(tokens);
  out.learning_rate.push_back(value_of(run, RunColumn::learning_rate));
  out.batch_tokens.push_back(batch);
  out.loss.push_back(value_of(run, RunColumn::loss));
  out.flops_per_token.push_back(flops_per_token(run, activated, length));
  out.step_time.push_back(map_.has(RunColumn::step_time) ? value_of(run, RunColumn::step_time) : absent);
  if (map_.has(RunColumn::seed)) out.seed.push_back(run.seed);
  out.recipe.push_back(run.recipe);
  out.line.push_back(run.line);
}

/// Of training: as given; else 6 layers h (4 h + 3 f + 2 s) of a dense transformer with gated feed-forward network of
/// width f; else 6 Na, which leaves out attention over the sequence.
double RunJudge::flops_per_token(const RawRun& run, double activated, double sequence_length) const {
  if (map_.has(RunColumn::flops_per_token)) return value_of(run, RunColumn::flops_per_token);
  if (map_.has(RunColumn::hidden) && map_.has(RunColumn::ffn_hidden) && map_.has(RunColumn::layers)) {
    const double h = value_of(run, RunColumn::hidden);
    const double f = value_of(run, RunColumn::ffn_hidden);
    return 6.0 * value_of(run, RunColumn::layers) * h * (4.0 * h + 3.0 * f + 2.0 * sequence_length);
  }
  return 6.0 * activated;
}

void RunJudge::set_aside(const RawRun& run, RunDefect defect, std::string detail, RunBlock& out) const {
  out.defects.push_back({{file_, block_, run.line}, defect, std::move(detail)});
}

std::unique_ptr<RunFile> open_run_file(const std::filesystem::path& path, const RunReading& reading) {
  std::error_code ignored;
  const bool is_dataset =
      path.extension() == ".h5" || path.extension() == ".hdf5" || std::filesystem::is_directory(path, ignored);
  return is_dataset ? open_dataset_runs(path, reading) : open_csv_runs(path, reading);
}

}  // namespace dfsweep::fit
