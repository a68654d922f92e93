/// Runs in result files of dfsweep: one row per run; parameters that do not vary are scalars of /fixed.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "engine/fit/runs/run_blocks.hpp"
#include "engine/results/open_result.hpp"
#include "io/file_system.hpp"
#include "models/absent.hpp"

namespace dfsweep::fit {

namespace {

constexpr std::uint64_t block_rows = 65536;

/// Where a value of every row comes from.
struct RunValues {
  RunColumn column = RunColumn::loss;
  const DatasetColumn* stored = nullptr;  ///< null: `fixed` everywhere
  double fixed = absent;
  std::string label;  ///< fixed recipe
};

class DatasetRuns final : public RunFile {
 public:
  DatasetRuns(const std::filesystem::path& path, const RunReading& reading)
      : file_(open_result(path)),
        bytes_(real_file_system().open(file_.file(), OpenFor::reading)),
        name_(path.string()),
        reading_(reading) {
    for (const RowRange& range : file_.complete())
      for (std::uint64_t first = range.first; first < range.first + range.count; first += block_rows)
        blocks_.push_back({first, std::min(block_rows, range.first + range.count - first)});
    find_columns();
    status_ = file_.column("status");
  }

  const std::string& name() const override { return name_; }
  std::uint32_t block_count() const override { return static_cast<std::uint32_t>(blocks_.size()); }
  std::uint64_t rows() const override { return file_.complete_count(); }
  std::uint64_t bytes() const override { return 0; }
  std::string place(std::uint64_t line) const override { return fmt::format("{} row {}", name_, line); }
  std::uint32_t line_number(std::uint64_t line) const override { return static_cast<std::uint32_t>(line); }
  bool has_seeds() const override { return map_.has(RunColumn::seed); }
  std::string digest() const override {
    std::string text;
    for (const RunValues& values : values_)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name_of(values.column),
                          values.stored == nullptr ? "fixed" : values.stored->name);
    return text;
  }

  RunBlock read(std::uint32_t file, std::uint32_t block) const override {
    const RowRange range = blocks_[block];
    std::vector<std::vector<double>> columns(values_.size());
    std::vector<double> status;
    for (std::size_t v = 0; v < values_.size(); ++v) {
      if (values_[v].stored == nullptr) continue;
      columns[v].resize(range.count);
      fill(*values_[v].stored, range.first, columns[v]);
    }
    if (status_ != nullptr) {
      status.resize(range.count);
      fill(*status_, range.first, status);
    }
    return is_plain(columns, status) ? plain(range, columns) : judged(file, block, range, columns, status);
  }

 private:
  /// Contiguous doubles are read where they lie, on all threads at once; for the rest the library is needed, which
  /// keeps global state.
  void fill(const DatasetColumn& column, std::uint64_t first, std::span<double> values) const {
    if (column.offset && column.type == ElementType::float64)
      return bytes_->read_at(*column.offset + first * sizeof(double), std::as_writable_bytes(values));
    const std::lock_guard<std::mutex> one_at_a_time(reading_hdf5_);
    file_.read(column, first, values);
  }

  void find_columns() {
    std::vector<std::string> names;
    std::vector<RunValues> found;
    for (const DatasetColumn& column : file_.columns()) {
      if (column.width != 1) continue;
      names.push_back(column.name);
      found.push_back({RunColumn::loss, &column, absent, {}});
    }
    for (const FixedValue& fixed : file_.fixed()) {
      RunValues values{RunColumn::loss, nullptr, absent, {}};
      if (const auto* real = std::get_if<double>(&fixed.value)) values.fixed = *real;
      if (const auto* whole = std::get_if<std::int64_t>(&fixed.value)) values.fixed = static_cast<double>(*whole);
      if (const auto* text = std::get_if<std::string>(&fixed.value)) values.label = *text;
      names.push_back(fixed.name);
      found.push_back(values);
    }
    map_ = map_columns(names, reading_.columns, {name_, 0, 0});
    for (std::size_t c = 0; c < run_column_count; ++c) {
      const auto column = static_cast<RunColumn>(c);
      if (!map_.has(column)) continue;
      RunValues values = found[map_[column]];
      values.column = column;
      const bool is_label = values.stored == nullptr ? !values.label.empty() : values.stored->is_categorical();
      if (column != RunColumn::seed && is_label != is_name(column))
        throw UserError({{{name_, 0, 0},
                          fmt::format("column '{}' holds {}", names[map_[column]], is_label ? "names" : "numbers"),
                          fmt::format("it is the {}", name_of(column)),
                          "Name another one with --columns"}});
      values_.push_back(std::move(values));
    }
  }

  /// Whether no run can have a defect and values can be taken as they are: all finite and positive, statuses ok, and no
  /// column that is only an ingredient of what a run needs.
  [[nodiscard]] bool is_plain(const std::vector<std::vector<double>>& columns,
                              const std::vector<double>& status) const {
    if (!map_.has(RunColumn::batch_tokens)) return false;
    bool is_good = std::all_of(status.begin(), status.end(), [](double code) { return code == 0.0; });
    for (std::size_t v = 0; v < values_.size(); ++v) {
      const RunColumn column = values_[v].column;
      if (column == RunColumn::recipe || column > RunColumn::loss || column == RunColumn::batch_sequences) return false;
      if (values_[v].stored == nullptr) {
        is_good = is_good && std::isfinite(values_[v].fixed) && values_[v].fixed > 0.0;
        continue;
      }
      bool all = true;
      for (const double value : columns[v]) all &= value > 0.0 && value <= std::numeric_limits<double>::max();
      is_good = is_good && all;
    }
    return is_good;
  }

  /// Pre: is_plain.
  [[nodiscard]] RunBlock plain(RowRange range, std::vector<std::vector<double>>& columns) const {
    RunBlock out;
    const auto take = [&](RunColumn column, std::vector<double>& to) {
      for (std::size_t v = 0; v < values_.size(); ++v) {
        if (values_[v].column != column) continue;
        if (values_[v].stored == nullptr)
          to.assign(range.count, values_[v].fixed);
        else
          to = std::move(columns[v]);
      }
    };
    take(RunColumn::parameters, out.parameters);
    take(RunColumn::activated_parameters, out.activated_parameters);
    take(RunColumn::train_tokens, out.train_tokens);
    take(RunColumn::learning_rate, out.learning_rate);
    take(RunColumn::batch_tokens, out.batch_tokens);
    take(RunColumn::loss, out.loss);
    if (out.activated_parameters.empty()) out.activated_parameters = out.parameters;
    out.flops_per_token.resize(range.count);
    for (std::size_t i = 0; i < range.count; ++i) out.flops_per_token[i] = 6.0 * out.activated_parameters[i];
    out.recipe.assign(range.count, 0);
    out.line.resize(range.count);
    std::iota(out.line.begin(), out.line.end(), 0U);
    out.line_count = static_cast<std::uint32_t>(range.count);
    return out;
  }

  RunBlock judged(std::uint32_t file, std::uint32_t block, RowRange range,
                  const std::vector<std::vector<double>>& columns, const std::vector<double>& status) const {
    RunBlock out;
    const RunJudge judge(map_, reading_, file, block);
    for (const RunValues& values : values_)
      if (values.column == RunColumn::recipe)
        out.recipes = values.stored == nullptr ? std::vector<std::string>{values.label} : file_.labels(*values.stored);
    RawRun run{};
    std::fill(std::begin(run.values), std::end(run.values), absent);
    for (std::uint64_t i = 0; i < range.count; ++i) {
      for (std::size_t v = 0; v < values_.size(); ++v) {
        const double value = values_[v].stored == nullptr ? values_[v].fixed : columns[v][i];
        if (values_[v].column == RunColumn::seed)
          run.seed = std::bit_cast<std::uint64_t>(value);
        else if (values_[v].column != RunColumn::recipe)
          run.values[static_cast<std::size_t>(values_[v].column)] = value;
        else if (value >= 0.0)
          run.recipe = static_cast<std::uint32_t>(value);
      }
      run.line = static_cast<std::uint32_t>(i);
      run.failed = !status.empty() && status[i] != 0.0;
      judge.add(run, out);
    }
    out.line_count = static_cast<std::uint32_t>(range.count);
    return out;
  }

  DatasetReader file_;
  std::unique_ptr<File> bytes_;
  std::string name_;
  RunReading reading_;
  RunColumnMap map_;
  std::vector<RowRange> blocks_;
  std::vector<RunValues> values_;
  const DatasetColumn* status_ = nullptr;
  mutable std::mutex reading_hdf5_;
};

}  // namespace

std::unique_ptr<RunFile> open_dataset_runs(const std::filesystem::path& path, const RunReading& reading) {
  return std::make_unique<DatasetRuns>(path, reading);
}

}  // namespace dfsweep::fit
