/// Runs in CSV files. Neighbouring lines mostly agree in N, Na and D, so the last text of a column is compared first.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/fit/runs/run_blocks.hpp"
#include "io/csv_blocks.hpp"
#include "models/absent.hpp"

namespace dfsweep::fit {

namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(' ') == std::string_view::npos;
}

/// One column while a block is read: which number it is, and its last text with the number that it was.
struct ColumnCursor {
  RunColumn column = RunColumn::loss;
  std::string last;
  double value = absent;
};

class CsvRuns final : public RunFile {
 public:
  CsvRuns(const std::filesystem::path& path, const RunReading& reading)
      : csv_(real_file_system(), path),
        reading_(reading),
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
  std::uint64_t bytes() const override { return csv_.block_count() * CsvFile::default_block_bytes; }
  std::string place(std::uint64_t line) const override { return fmt::format("{}:{}", csv_.name(), line_number(line)); }
  std::uint32_t line_number(std::uint64_t line) const override {
    return static_cast<std::uint32_t>(csv_.header_line() + 1 + line);
  }

  std::string digest() const override {
    std::string text;
    for (const auto& [index, column] : read_)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name_of(column), csv_.header()[index]);
    return text;
  }

  RunBlock read(std::uint32_t file, std::uint32_t block) const override {
    const std::string text = csv_.block(block);
    std::vector<std::size_t> wanted;
    std::vector<ColumnCursor> cursors;
    for (const auto& [index, column] : read_) {
      wanted.push_back(index);
      cursors.push_back({column, {}, absent});
    }
    RunBlock out;
    const RunJudge judge(map_, reading_, file, block);
    CsvBlockReader lines(text, csv_.header().size(), wanted);
    RawRun run{};
    std::fill(std::begin(run.values), std::end(run.values), absent);
    while (lines.next()) {
      run.line = lines.line();
      bool is_right = true;
      for (std::size_t w = 0; w < cursors.size(); ++w) is_right &= take(lines, w, cursors[w], run, out);
      if (is_right) judge.add(run, out);
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
    double& value = run.values[static_cast<std::size_t>(cursor.column)];
    if (text == cursor.last) {
      value = cursor.value;
      return true;
    }
    const CsvNumber number = csv_number(text);
    if (!number.is_number && !is_blank(text)) {
      constexpr std::size_t most_problems = 100;
      if (out.problems.size() < most_problems)
        out.problems.push_back(
            {{csv_.name(), lines.line(), lines.column(w)},
             fmt::format("'{}' is not a number", text),
             fmt::format("column '{}' is the {}", csv_.header()[map_[cursor.column]], name_of(cursor.column)),
             ""});
      return false;
    }
    value = number.is_number ? number.value : absent;
    cursor.last = text;
    cursor.value = value;
    return true;
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
  RunColumnMap map_;
  std::vector<std::pair<std::size_t, RunColumn>> read_;  ///< columns of the file that are read, ascending
};

}  // namespace

std::unique_ptr<RunFile> open_csv_runs(const std::filesystem::path& path, const RunReading& reading) {
  return std::make_unique<CsvRuns>(path, reading);
}

}  // namespace dfsweep::fit
