/// Export: columns read by chunk, lines formatted by all cores, text written in order.
#include "engine/commands/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>

#include "engine/console/output.hpp"
#include "engine/console/output_form.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/exports/arrow_export.hpp"
#include "engine/exports/parquet_export.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/results/best.hpp"
#include "engine/results/open_result.hpp"
#include "engine/results/rejections.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/results/row_condition.hpp"
#include "io/atomic_file.hpp"
#include "io/csv_writer.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

constexpr std::size_t slice_rows = 8192;
/// Of Parquet and Arrow: columns of about a megabyte.
constexpr std::uint64_t rows_per_group = 131'072;

struct ExportedColumn {
  const DatasetColumn* column = nullptr;
  std::vector<std::string> names;  ///< [code] as CSV cells; empty: numbers
  std::string unit;                ///< written after numbers; empty: none
};

/// Readers of Parquet and Arrow take columns by their names.
void expect_no_repetition(const ExportOptions& options) {
  if (options.format == ExportFormat::csv) return;
  for (auto name = options.columns.begin(); name != options.columns.end(); ++name)
    if (std::find(options.columns.begin(), name, *name) != name)
      throw UsageError(fmt::format("--columns: '{}' is given twice.", *name));
}

std::vector<ExportedColumn> exported_columns(const DatasetReader& file, const std::vector<std::string>& names) {
  std::vector<ExportedColumn> columns;
  const auto add = [&](const DatasetColumn& column) {
    columns.push_back({&column, value_names(file, column), {}});
    for (std::string& name : columns.back().names) name = without_formula(printable(name));  // a file may be crafted
  };
  for (const std::string& name : names) add(column_named(file, name, "--columns"));
  if (names.empty())
    for (const DatasetColumn& column : file.columns())
      if (column.width == 1) add(column);
  return columns;
}

/// The parameters that vary, with the units of their numbers, as a point list has them.
std::vector<ExportedColumn> point_columns(const DatasetReader& file) {
  std::vector<std::string> names;
  for (const DatasetColumn* axis : axis_columns(file)) names.push_back(axis->name);
  if (names.empty()) throw UsageError("--points: the result has one point, and no parameter varies.");
  std::vector<ExportedColumn> columns = exported_columns(file, names);
  for (ExportedColumn& exported : columns)
    if (exported.names.empty()) exported.unit = shown_unit(exported.column->units);
  return columns;
}

/// Rows without a feasible execution name no point of the searched space.
RowCondition condition_of(const DatasetReader& file, const ExportOptions& options) {
  RowCondition condition = row_condition(file, options.where);
  if (options.form == ExportForm::table || !is_of_search(file)) return condition;
  const std::string named = "status != 'no_feasible'";
  return row_condition(file, options.where.empty() ? named : fmt::format("({}) && {}", options.where, named));
}

/// The rows of `--best`, ascending; nothing where it is not given.
std::optional<std::vector<std::uint64_t>> best_rows(const DatasetReader& file, const ExportOptions& options,
                                                    const RowFilter& filter) {
  if (options.best.empty()) return std::nullopt;
  const DatasetColumn& metric = column_named(file, options.best, "--best");
  if (better_of(metric) == Better::neither)
    throw UsageError(fmt::format("--best {}: neither lower nor higher values of it are better.", options.best));
  const BestQuestion question{.metric = &metric, .direction = better_of(metric), .by = {}, .top = options.top};
  std::vector<std::uint64_t> rows = find_best(file, question, filter).rows;
  std::sort(rows.begin(), rows.end());
  return rows;
}

void append_line(CsvWriter& csv, std::span<const ExportedColumn> columns, const RowChunk& chunk, std::size_t row,
                 std::span<const std::vector<std::uint64_t>> wholes) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const double value = chunk.values[c][row];
    const std::vector<std::string>& names = columns[c].names;
    const bool is_named = value >= 0.0 && value < static_cast<double>(names.size());
    if (!wholes[c].empty())
      csv.cell(wholes[c][row]);
    else if (is_named && !names[static_cast<std::size_t>(value)].empty())
      csv.cell(names[static_cast<std::size_t>(value)]);
    else if (!columns[c].unit.empty() && is_given(value))
      csv.cell(fmt::format("{} {}", shortest(value), columns[c].unit));
    else
      csv.cell(value);
  }
  csv.end_line();
}

/// Where the text goes: a file that is replaced at the end, or standard output.
class Sink {
 public:
  explicit Sink(const std::filesystem::path& output) : output_(output) {
    if (output == "-") return;
    create_folder_of(output);
    file_.emplace(real_file_system(), output);
  }
  void write(std::span<const std::byte> bytes) {
    if (!file_) return write_results(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    try {
      file_->append(bytes);
    } catch (const IoError& error) {  // which knows a temporary name, and what one write needs
      throw IoError("write", output_, error.error_number,
                    fmt::format("after {}, which are removed; choose another --output or fewer --columns",
                                with_unit(static_cast<double>(written_), "byte", 3)));
    }
    written_ += bytes.size();
  }
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void finish() {
    if (file_)
      file_->commit();
    else
      flush_results();
  }

 private:
  std::filesystem::path output_;
  std::optional<AtomicFile> file_;
  std::uint64_t written_ = 0;  ///< bytes
};

class CsvExport {
 public:
  CsvExport(const DatasetReader& file, std::vector<ExportedColumn> columns, unsigned threads, Sink& sink)
      : file_(&file), columns_(std::move(columns)), wholes_(columns_.size()), sink_(&sink), threads_(threads) {}

  void write_header() {
    CsvWriter csv;
    for (const ExportedColumn& exported : columns_) csv.cell(without_formula(printable(exported.column->name)));
    csv.end_line();
    sink_->write(csv.text());
  }

  void write(const RowChunk& chunk) {
    const std::size_t count = chunk.kept.size();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].column->type != ElementType::uint64) continue;
      wholes_[c].resize(count);
      file_->read(*columns_[c].column, chunk.first_row, std::span<std::uint64_t>(wholes_[c]));
    }
    slices_.resize((count + slice_rows - 1) / slice_rows);
    parallel_for(slices_.size(), threads_, [&](std::size_t s) {
      slices_[s].clear();
      for (std::size_t row = s * slice_rows; row < std::min(count, (s + 1) * slice_rows); ++row)
        if (chunk.kept[row] != 0) append_line(slices_[s], columns_, chunk, row, wholes_);
    });
    for (const CsvWriter& slice : slices_) sink_->write(slice.text());
    for (const std::uint8_t kept : chunk.kept) rows_ += kept;
  }

  [[nodiscard]] std::uint64_t rows() const { return rows_; }

 private:
  const DatasetReader* file_;
  std::vector<ExportedColumn> columns_;
  std::vector<std::vector<std::uint64_t>> wholes_;  ///< [column][row] of uint64 columns, which doubles cannot hold
  std::vector<CsvWriter> slices_;
  Sink* sink_;
  unsigned threads_;
  std::uint64_t rows_ = 0;
};

/// Visits the rows that the filter selects, of these only the `best` ones where they are given.
void visit_kept(const DatasetReader& file, std::span<const DatasetColumn* const> columns, const RowFilter& filter,
                const std::optional<std::vector<std::uint64_t>>& best,
                const std::function<void(const RowChunk&)>& visit) {
  scan_rows(file, columns, filter, [&](const RowChunk& chunk) {
    if (!best) return visit(chunk);
    std::vector<std::uint8_t> kept(chunk.kept.size());
    const std::uint64_t end = chunk.first_row + kept.size();
    for (auto row = std::lower_bound(best->begin(), best->end(), chunk.first_row); row != best->end() && *row < end;
         ++row)
      kept[*row - chunk.first_row] = 1;
    visit({.first_row = chunk.first_row, .kept = kept, .values = chunk.values});
  });
}

}  // namespace

ExportFormat format_of_ending(const std::filesystem::path& file) {
  const std::filesystem::path ending = file.extension();
  if (ending == ".parquet") return ExportFormat::parquet;
  return ending == ".arrow" || ending == ".feather" ? ExportFormat::arrow : ExportFormat::csv;
}

ExitStatus run_export(const ExportOptions& options) {
  expect_no_repetition(options);
  const OpenedResult opened = open_with_progress(options.path);
  const DatasetReader& file = opened.file;
  const RowCondition condition = condition_of(file, options);
  const auto best = best_rows(file, options, condition.filter);
  std::vector<ExportedColumn> columns =
      options.form == ExportForm::points ? point_columns(file) : exported_columns(file, options.columns);
  std::vector<const DatasetColumn*> read;
  for (const ExportedColumn& exported : columns) read.push_back(exported.column);
  const std::size_t column_count = columns.size();

  const unsigned threads = options.threads != 0 ? options.threads : allowed_cores();
  Sink sink(options.output);
  std::uint64_t rows = 0;
  const auto append = [&](std::span<const std::byte> bytes) { sink.write(bytes); };
  if (options.format == ExportFormat::csv) {
    CsvExport csv(file, std::move(columns), threads, sink);
    csv.write_header();
    visit_kept(file, read, condition.filter, best, [&](const RowChunk& chunk) { csv.write(chunk); });
    rows = csv.rows();
  } else {
    ExportGroups groups(file, condition.filter, best, rows_per_group);
    const bool is_parquet = options.format == ExportFormat::parquet;
    const Compression usual = is_parquet ? Compression::zstd : Compression::none;
    const ExportEffort effort{threads, options.compression.value_or(usual)};
    rows = is_parquet ? write_parquet(file, read, groups, effort, append)
                      : write_arrow(file, read, groups, effort, append);
  }
  sink.finish();
  if (options.output != "-" && options.verbosity == Verbosity::normal)
    write_message(
        fmt::format("{}, {} in {}", counted(rows, "row"), counted(column_count, "column"), options.output.string()));
  if (const std::string note = unit_note(condition, options.where);
      !note.empty() && options.verbosity == Verbosity::normal)
    write_message(note);
  if (opened.progress && options.verbosity == Verbosity::normal)
    write_message(fmt::format("not finished: {}. The output has only these ({} of {} rows)",
                              progress_text(*opened.progress, file), file.complete_count(), file.row_count()));
  return ExitStatus::complete;
}

}  // namespace dfsweep
