/// Runs in CSV files and JSON lines. Neighbouring lines mostly agree in N, Na and D, so the last text of a column is
/// compared first.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "engine/fit/runs/run_blocks.hpp"
#include "engine/fit/runs/run_cells.hpp"
#include "engine/fit/runs/unused_columns.hpp"
#include "io/csv_blocks.hpp"
#include "io/diagnostic.hpp"
#include "io/json_lines.hpp"
#include "io/text_file.hpp"
#include "models/absent.hpp"

namespace dfsweep::fit {

namespace {

/// Lines of the file before the first line of runs.
enum class FirstLine : std::uint8_t { after_header, of_file };

/// Why a cell is no number, or nothing.
std::string hint_of(std::string_view text, char separator) {
  return separator == ';' && text.find(',') != std::string_view::npos ? "Write decimals with a point" : "";
}

/// One column while a block is read: which number it is, and its last text with the number that it was.
struct ColumnCursor {
  RunColumn column = RunColumn::loss;
  std::string last;
  RunCell cell{CellKind::missing, absent};
};

class CsvRuns final : public RunFile {
 public:
  CsvRuns(CsvFile csv, const RunReading& reading, FirstLine first)
      : csv_(std::move(csv)),
        reading_(reading),
        lines_before_(first == FirstLine::of_file ? 0 : csv_.header_line()),
        map_(map_columns(csv_.header(), reading.columns, {csv_.name(), csv_.header_line(), 1})) {
    for (std::size_t c = 0; c < run_column_count; ++c)
      if (const auto column = static_cast<RunColumn>(c); map_.has(column)) read_.emplace_back(map_[column], column);
    std::sort(read_.begin(), read_.end());
    for (std::size_t i = 1; i < read_.size(); ++i)
      if (read_[i].first == read_[i - 1].first)
        throw UserError({{{csv_.name(), csv_.header_line(), 1},
                          fmt::format("column '{}' would be both {} and {}", csv_.header()[read_[i].first],
                                      name_of(read_[i - 1].second), name_of(read_[i].second)),
                          "",
                          "Name other columns with --columns"}});
  }

  const std::string& name() const override { return csv_.name(); }
  std::uint32_t block_count() const override { return static_cast<std::uint32_t>(csv_.block_count()); }
  std::uint64_t rows() const override { return 0; }
  std::uint64_t bytes() const override { return csv_.size(); }
  std::string place(std::uint64_t line) const override { return fmt::format("{}:{}", csv_.name(), line_number(line)); }
  std::uint32_t line_number(std::uint64_t line) const override {
    return static_cast<std::uint32_t>(lines_before_ + 1 + line);
  }

  std::string digest() const override {
    std::string text;
    for (const auto& [index, column] : read_)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name_of(column), csv_.header()[index]);
    return text;
  }

  bool has_seeds() const override { return map_.has(RunColumn::seed); }

  std::vector<std::string> remarks() const override {
    if (csv_.block_count() == 0) return {};
    return remarks_on_unused(csv_, map_);
  }

  RunBlock read(std::uint32_t file, std::uint32_t block) const override {
    const std::string text = csv_.block(block);
    std::vector<std::size_t> wanted;
    std::vector<ColumnCursor> cursors;
    for (const auto& [index, column] : read_) {
      wanted.push_back(index);
      cursors.push_back({column, {}, {CellKind::missing, absent}});
    }
    RunBlock out;
    const RunJudge judge(map_, reading_, file, block);
    CsvBlockReader lines(text, csv_.header().size(), wanted, csv_.separator());
    RawRun run{};
    std::fill(std::begin(run.values), std::end(run.values), absent);
    while (lines.next()) {
      run.line = lines.line();
      bool is_right = true;
      for (std::size_t w = 0; w < cursors.size(); ++w) is_right &= take(lines, w, cursors[w], run, out);
      if (is_right && !is_without_result(cursors, {file, block, run.line}, out)) judge.add(run, out);
    }
    for (const CsvBlockProblem& problem : lines.problems())
      out.problems.push_back({{csv_.name(), problem.line, problem.column}, problem.problem, problem.reason, ""});
    out.line_count = lines.line_count();
    out.first_trailing_blank = lines.first_trailing_blank();
    return out;
  }

 private:
  /// Reads a cell; false where it is no number, which becomes a problem.
  bool take(const CsvBlockReader& lines, std::size_t w, ColumnCursor& cursor, RawRun& run, RunBlock& out) const {
    const std::string_view text = lines.cells()[w];
    if (cursor.column == RunColumn::recipe) {
      if (out.recipes.empty() || out.recipes[run.recipe] != text) run.recipe = recipe_number(text, out);
      return true;
    }
    if (cursor.column == RunColumn::seed) {
      run.seed = std::hash<std::string_view>()(text);
      return true;
    }
    double& value = run.values[static_cast<std::size_t>(cursor.column)];
    if (text == cursor.last) {
      value = cursor.cell.value;
      return true;
    }
    const RunCell cell = run_cell(text, cursor.column);
    if (cell.kind == CellKind::malformed) {
      constexpr std::size_t most_problems = 100;
      if (out.problems.size() < most_problems)
        out.problems.push_back(
            {{csv_.name(), lines.line(), lines.column(w)},
             fmt::format("'{}' is not a number", text),
             fmt::format("column '{}' is the {}", csv_.header()[map_[cursor.column]], name_of(cursor.column)),
             hint_of(text, csv_.separator())});
      return false;
    }
    value = cell.value;
    cursor.last = text;
    cursor.cell = cell;
    return true;
  }

  /// Names a run with a word in place of its loss.
  static bool is_without_result(std::span<const ColumnCursor> cursors, const RunPlace& place, RunBlock& out) {
    for (const ColumnCursor& cursor : cursors) {
      if (cursor.cell.kind != CellKind::no_result) continue;
      out.defects.push_back(
          {place, RunDefect::no_result, fmt::format("{} is {}", name_of(cursor.column), cursor.last)});
      return true;
    }
    return false;
  }

  static std::uint32_t recipe_number(std::string_view text, RunBlock& out) {
    const auto found = std::find(out.recipes.begin(), out.recipes.end(), text);
    if (found == out.recipes.end()) {
      out.recipes.emplace_back(text);
      return static_cast<std::uint32_t>(out.recipes.size() - 1);
    }
    return static_cast<std::uint32_t>(found - out.recipes.begin());
  }

  CsvFile csv_;
  RunReading reading_;
  std::uint32_t lines_before_;
  RunColumnMap map_;
  std::vector<std::pair<std::size_t, RunColumn>> read_;  ///< columns of the file that are read, ascending
};

}  // namespace

std::unique_ptr<RunFile> open_csv_runs(const std::filesystem::path& path, const RunReading& reading) {
  const bool is_input = path == "-";
  const std::string extension = path.extension().string();
  const bool is_named_json = extension == ".jsonl" || extension == ".ndjson" || extension == ".json";
  if (!is_input && !is_named_json)
    return std::make_unique<CsvRuns>(CsvFile(real_file_system(), path), reading, FirstLine::after_header);
  const std::string name = is_input ? "standard input" : path.string();
  std::string text = read_text_file(path, name, max_table_bytes);
  if (text.find_first_not_of(" \t\r\n") == text.find('[') && text.find('[') != std::string::npos)
    throw UserError({{{name, 1, 1}, "a list in JSON is not read", "", "Write one object a line, as jq -c '.[]' does"}});
  if (is_named_json || is_json_lines(text))
    return std::make_unique<CsvRuns>(CsvFile(csv_of_json_lines(text, name), name), reading, FirstLine::of_file);
  return std::make_unique<CsvRuns>(CsvFile(std::move(text), name), reading, FirstLine::after_header);
}

}  // namespace dfsweep::fit
