#include "engine/sweep/streamed_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "io/checksum.hpp"
#include "io/csv_blocks.hpp"
#include "io/file_system.hpp"
#include "io/quantity.hpp"
#include "io/suggestion.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t most_problems = 20;

/// Where the declared columns are in a file, in the order of the file.
struct ColumnPlaces {
  std::vector<std::size_t> wanted;  ///< indices of columns of the file, ascending
  std::vector<std::size_t> column;  ///< [w] the declared column
};

/// Reads the numbers of a line in the declared order.
void take_numbers(const ColumnPlaces& places, std::span<const std::string_view> cells, std::span<double> numbers) {
  for (std::size_t w = 0; w < cells.size(); ++w) {
    const CsvNumber number = csv_number(cells[w]);
    numbers[places.column[w]] = number.is_number ? number.value : std::nan("");
  }
}

class CheckedRows final : public StreamedRows {
 public:
  CheckedRows(std::filesystem::path path, ColumnPlaces places, std::size_t columns)
      : path_(std::move(path)), places_(std::move(places)), means_(columns, 0.0), largest_(columns, -INFINITY) {}
  [[nodiscard]] std::uint64_t rows() const override { return rows_; }
  [[nodiscard]] std::span<const double> means() const override { return means_; }
  [[nodiscard]] std::span<const double> largest() const override { return largest_; }
  [[nodiscard]] std::unique_ptr<RowStream> open() const override;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const ColumnPlaces& places() const { return places_; }
  void count(std::span<const double> numbers) {
    ++rows_;
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      means_[c] += (numbers[c] - means_[c]) / static_cast<double>(rows_);
      largest_[c] = std::max(largest_[c], numbers[c]);
    }
  }

 private:
  std::filesystem::path path_;
  ColumnPlaces places_;
  std::uint64_t rows_ = 0;
  std::vector<double> means_;
  std::vector<double> largest_;
};

/// A pass over the file; it was checked before, so that only a file that changed can be wrong.
class FilePass final : public RowStream {
 public:
  explicit FilePass(const CheckedRows& rows) : rows_(rows), file_(real_file_system(), rows.path()) {}

  std::size_t next(std::span<double> out) override {
    const std::size_t columns = rows_.means().size();
    std::size_t filled = 0;
    while ((filled + 1) * columns <= out.size()) {
      if (!reader_ && !next_block()) break;
      if (!reader_->next()) {
        reader_.reset();
        continue;
      }
      take_numbers(rows_.places(), reader_->cells(), out.subspan(filled * columns, columns));
      ++filled;
    }
    return filled;
  }

 private:
  bool next_block() {
    if (block_ >= file_.block_count()) return false;
    text_ = file_.block(block_++);
    reader_.emplace(text_, file_.header().size(), rows_.places().wanted, file_.separator());
    return true;
  }
  const CheckedRows& rows_;
  CsvFile file_;
  std::uint64_t block_ = 0;
  std::string text_;
  std::optional<CsvBlockReader> reader_;
};

std::unique_ptr<RowStream> CheckedRows::open() const {
  return std::make_unique<FilePass>(*this);
}

/// The place of each column, under its own name or that of another program; problems for those that are missing.
ColumnPlaces find_columns(const CsvFile& file, std::span<const StreamColumn> columns, std::vector<Problem>& problems) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  const std::vector<std::string>& header = file.header();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const StreamColumn& column = columns[c];
    const auto is_it = [&](const std::string& name) {
      return name == column.name ||
             std::find(column.other_names.begin(), column.other_names.end(), name) != column.other_names.end();
    };
    const auto place = std::find_if(header.begin(), header.end(), is_it);
    if (place != header.end()) {
      found.emplace_back(place - header.begin(), c);
      continue;
    }
    const std::vector<std::string> others(column.other_names.begin(), column.other_names.end());
    problems.push_back({{file.name(), file.header_line(), 1},
                        fmt::format("column '{}' is missing", column.name),
                        "columns are " + listed(header),
                        others.empty() ? "" : "It may also be called " + listed(others)});
  }
  std::sort(found.begin(), found.end());
  ColumnPlaces places;
  for (const auto& [place, column] : found) {
    places.wanted.push_back(place);
    places.column.push_back(column);
  }
  return places;
}

/// Checks the lines of a file one after the other.
class LineCheck {
 public:
  LineCheck(const CsvFile& file, std::span<const StreamColumn> columns, CheckedRows& rows)
      : file_(file), columns_(columns), rows_(rows), last_(columns.size(), -INFINITY), numbers_(columns.size()) {}

  void block(const std::string& text) {
    const ColumnPlaces& places = rows_.places();
    CsvBlockReader reader(text, file_.header().size(), places.wanted, file_.separator());
    while (reader.next()) {
      take_numbers(places, reader.cells(), numbers_);
      for (std::size_t w = 0; w < places.wanted.size(); ++w) check(reader, w);
      rows_.count(numbers_);
    }
    for (const CsvBlockProblem& problem : reader.problems())
      add(problem.line, problem.column, problem.problem, problem.reason);
    first_line_ += reader.line_count();
  }
  [[nodiscard]] std::vector<Problem> take() {
    if (count_ > most_problems)
      problems_.push_back(
          {{file_.name(), 0, 0}, fmt::format("{} more lines are wrong", count_ - most_problems), "", ""});
    return std::move(problems_);
  }

 private:
  void check(const CsvBlockReader& reader, std::size_t w) {
    const std::size_t c = rows_.places().column[w];
    const StreamColumn& column = columns_[c];
    const double number = numbers_[c];
    const auto fail = [&](const std::string& problem, const std::string& reason) {
      add(reader.line(), reader.column(w), fmt::format("{} {}", column.name, problem), reason);
    };
    if (!std::isfinite(number)) return fail("is not a finite number", fmt::format("it is '{}'", reader.cells()[w]));
    if (number < column.lowest || number > column.highest)
      return fail(fmt::format("= {} is out of range", number_text(number)),
                  fmt::format("allowed: {} to {}", number_text(column.lowest), number_text(column.highest)));
    if (column.is_whole && number != std::trunc(number)) return fail("is not a whole number", number_text(number));
    if (column.is_ascending && number < last_[c])
      return fail(fmt::format("= {} is below {} of the line before", number_text(number), number_text(last_[c])),
                  "lines are sorted by it");
    last_[c] = number;
  }
  void add(std::uint32_t line, std::uint32_t column, std::string problem, std::string reason) {
    if (++count_ > most_problems) return;
    const auto at = static_cast<std::uint32_t>(file_.header_line() + 1 + first_line_ + line);
    problems_.push_back({{file_.name(), at, column}, std::move(problem), std::move(reason), ""});
  }

  const CsvFile& file_;
  std::span<const StreamColumn> columns_;
  CheckedRows& rows_;
  std::uint64_t first_line_ = 0;  ///< lines of the blocks before
  std::vector<double> last_;
  std::vector<double> numbers_;
  std::size_t count_ = 0;
  std::vector<Problem> problems_;
};

}  // namespace

StreamedFile read_streamed_rows(const DataPlace& place, std::span<const StreamColumn> columns) {
  StreamedFile result;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(place.path, ignored)) {
    result.problems.push_back(
        {{place.path.string(), 0, 0}, fmt::format("data '{}' is not a file", place.name), "one CSV file is read", ""});
    return result;
  }
  try {
    const CsvFile file(real_file_system(), place.path);
    ColumnPlaces places = find_columns(file, columns, result.problems);
    if (!result.problems.empty()) return result;
    const auto rows = std::make_shared<CheckedRows>(place.path, std::move(places), columns.size());
    LineCheck check(file, columns, *rows);
    ChecksumStream checksum;
    for (std::uint64_t b = 0; b < file.block_count(); ++b) {
      const std::string text = file.block(b);
      checksum.update(std::as_bytes(std::span(text)));
      check.block(text);
    }
    result.problems = check.take();
    if (rows->rows() == 0 && result.problems.empty())
      result.problems.push_back({{file.name(), file.header_line(), 1}, "there is no line after the header", "", ""});
    if (!result.problems.empty()) return result;
    result.input = {place.name + "/" + place.path.filename().string(), to_hex(checksum.digest()), ""};
    result.rows = rows;
  } catch (const UserError& error) {
    result.problems = error.problems;
  }
  return result;
}

}  // namespace dfsweep
