#include "engine/fit/runs/batch_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/measurements/missing_cells.hpp"
#include "engine/measurements/row_text.hpp"
#include "io/csv.hpp"
#include "io/csv_blocks.hpp"

namespace dfsweep::fit {

namespace {

/// What a column says, in the order of `column_names`.
enum class BatchColumn : std::uint8_t {
  batch,
  reached,
  failed,
  first,
  interval,
  precision,
  learning_rate,
  model,
  system,
  target_loss,
  sequence_length,
  count
};
constexpr std::string_view column_names[] = {"global_batch",
                                             "samples_to_target",
                                             "previous_evaluation_samples",
                                             "first_evaluation_samples",
                                             "evaluation_interval_samples",
                                             "precision",
                                             "learning_rate",
                                             "model",
                                             "system",
                                             "target_loss",
                                             "sequence_length"};
constexpr std::size_t column_count = static_cast<std::size_t>(BatchColumn::count);

/// Names of precisions and the format of their matrix products.
struct PrecisionName {
  std::string_view name;
  MatrixFormat format;
};
constexpr PrecisionName precisions[] = {
    {"fp32", MatrixFormat::bits16}, {"tf32", MatrixFormat::bits16}, {"bf16", MatrixFormat::bits16},
    {"fp16", MatrixFormat::bits16}, {"fp8", MatrixFormat::bits8},   {"mxfp8", MatrixFormat::bits8},
    {"int8", MatrixFormat::bits8},  {"fp4", MatrixFormat::bits4},   {"mxfp4", MatrixFormat::bits4},
    {"nvfp4", MatrixFormat::bits4}, {"int4", MatrixFormat::bits4}};

/// One file: its cells by what they say, and its problems.
class BatchRunFile {
 public:
  BatchRunFile(RowText rows, std::span<const ColumnPair> pairs, Problems& problems)
      : csv_(std::move(rows.text), std::move(rows.shown), rows.first_line), problems_(problems) {
    for (std::size_t c = 0; c < column_count; ++c) place_[c] = place_of(column_names[c], pairs);
    for (const BatchColumn needed : {BatchColumn::batch, BatchColumn::reached})
      if (!place_[index(needed)])
        problems_.add({csv_.file(), csv_.header_line(), 1}, fmt::format("no column '{}'", column_names[index(needed)]),
                      "a run has a global batch in sequences and the sequences at which it reached its target",
                      fmt::format("--columns {}=NAME names it", column_names[index(needed)]));
    is_usable_ = place_[index(BatchColumn::batch)] && place_[index(BatchColumn::reached)];
  }

  void read_into(std::vector<BatchRunSet>& sets) {
    while (is_usable_) {
      cells_ = csv_.next();
      if (cells_.empty()) break;
      add_run(sets);
    }
    problems_.add(csv_.problems());
  }

 private:
  static std::size_t index(BatchColumn column) { return static_cast<std::size_t>(column); }

  [[nodiscard]] std::optional<std::size_t> place_of(std::string_view name, std::span<const ColumnPair> pairs) const {
    std::string_view wanted = name;
    for (const auto& [left, right] : pairs) {
      if (left == name) wanted = right;
      if (right == name) wanted = left;
    }
    const auto header = csv_.header();
    const auto found =
        std::find_if(header.begin(), header.end(), [&](const CsvCell& cell) { return cell.text == wanted; });
    return found == header.end() ? std::nullopt : std::optional<std::size_t>(found - header.begin());
  }

  [[nodiscard]] std::string_view text(BatchColumn column) const {
    const auto& place = place_[index(column)];
    return place ? cells_[*place].text : std::string_view();
  }

  void complain(BatchColumn column, std::string problem, std::string reason) {
    problems_.add({csv_.file(), csv_.line(), cells_[*place_[index(column)]].column}, std::move(problem),
                  std::move(reason));
  }

  /// A positive number; NaN for a missing value (an empty cell, "n/a", "OOM") and after a problem.
  double number(BatchColumn column) {
    const std::string_view cell = text(column);
    if (missing_cell(cell)) return absent;
    const CsvNumber read = csv_number(cell);
    if (read.is_number && std::isnan(read.value)) return absent;
    if (read.is_number && read.value > 0.0 && std::isfinite(read.value)) return read.value;
    complain(column, fmt::format("'{}' is not a number above 0", cell), std::string(column_names[index(column)]));
    return absent;
  }

  MatrixFormat format() {
    const std::string_view cell = text(BatchColumn::precision);
    if (cell.empty()) return MatrixFormat::bits8;
    for (const PrecisionName& each : precisions)
      if (each.name == cell) return each.format;
    complain(BatchColumn::precision, fmt::format("unknown precision '{}'", cell),
             "known: fp32, tf32, bf16, fp16, fp8, mxfp8, int8, fp4, mxfp4, nvfp4, int4");
    return MatrixFormat::bits8;
  }

  void add_run(std::vector<BatchRunSet>& sets) {
    law_fits::TargetRun run;
    run.batch = number(BatchColumn::batch);
    if (text(BatchColumn::batch).empty()) complain(BatchColumn::batch, "no global batch", "every run has one");
    const double reached = number(BatchColumn::reached);
    const double previous = number(BatchColumn::failed);
    run.evaluations.interval = number(BatchColumn::interval);
    run.evaluations.first = number(BatchColumn::first);
    if (!is_given(run.evaluations.interval)) run.evaluations.interval = run.batch;
    if (!is_given(run.evaluations.first)) run.evaluations.first = run.evaluations.interval;
    run.format = format();
    run.learning_rate = number(BatchColumn::learning_rate);
    set_interval(run, reached, previous);
    BatchRunSet& set = set_of_line(sets);
    run.system = system_of(set);
    set.runs.push_back(run);
  }

  /// Pre: batch and evaluations are read.
  void set_interval(law_fits::TargetRun& run, double reached, double previous) {
    if (!is_given(reached)) {
      run.failed_at = is_given(previous) ? previous : 0.0;
      return;
    }
    run.reached_at = reached;
    const bool is_first = reached <= run.evaluations.first;
    run.failed_at = is_given(previous) ? previous : is_first ? 0.0 : reached - run.evaluations.interval;
    if (!(run.failed_at < reached))
      complain(BatchColumn::reached, "the target is reached before the evaluation that missed it",
               "samples_to_target is above previous_evaluation_samples");
  }

  BatchRunSet& set_of_line(std::vector<BatchRunSet>& sets) {
    const std::string_view model = text(BatchColumn::model);
    const double target = number(BatchColumn::target_loss);
    const auto is_same = [&](const BatchRunSet& set) {
      return set.model == model && (set.target_loss == target || (!is_given(set.target_loss) && !is_given(target)));
    };
    const auto found = std::find_if(sets.begin(), sets.end(), is_same);
    if (found != sets.end()) return *found;
    sets.push_back({std::string(model), target, number(BatchColumn::sequence_length), {}, {}});
    return sets.back();
  }

  std::size_t system_of(BatchRunSet& set) const {
    const std::string_view name = text(BatchColumn::system);
    const auto found = std::find(set.systems.begin(), set.systems.end(), name);
    if (found != set.systems.end()) return static_cast<std::size_t>(found - set.systems.begin());
    set.systems.emplace_back(name);
    return set.systems.size() - 1;
  }

  CsvReader csv_;
  Problems& problems_;
  std::optional<std::size_t> place_[column_count];
  std::span<const CsvCell> cells_;
  bool is_usable_ = false;
};

}  // namespace

std::vector<BatchRunSet> read_batch_runs(std::span<const std::filesystem::path> paths,
                                         std::span<const ColumnPair> pairs) {
  std::vector<BatchRunSet> sets;
  Problems problems;
  for (const std::filesystem::path& path : paths) BatchRunFile(read_row_text(path), pairs, problems).read_into(sets);
  if (sets.empty() && problems.count() == 0)
    problems.add({paths.front().string(), 0, 0}, "no runs", "the file has a header only");
  problems.raise();
  return sets;
}

}  // namespace dfsweep::fit
