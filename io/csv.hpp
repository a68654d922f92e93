/// Strict reading of CSV files: one header line, the same number of cells in every line; all positions are reported.
///
/// Cells are separated by commas, semicolons, tabs or bars (|), whichever the header has most of; a cell in double
/// quotes may hold separators and doubled quotes, but no line break. Lines end in LF or CRLF. Lines before the header
/// that start with
/// '#' and empty lines at the end are skipped. Blanks around names do not count.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/diagnostic.hpp"

namespace dfsweep {

/// Limit of reported problems per file: a file in another format would give one for every line.
inline constexpr std::size_t max_csv_problems = 100;

struct CsvCell {
  std::string_view text;     ///< without quotes; valid as long as the reader
  std::uint32_t column = 0;  ///< position of its first character in the line, from 1
};

/// Name of a first column without a name: it is the row index of a data frame.
inline constexpr std::string_view index_column = "index";

/// The most frequent of comma, semicolon, tab and bar in a header; a comma where it has none of them.
[[nodiscard]] char separator_of(std::string_view header);

class CsvReader {
 public:
  /// Reads the header. Throws UserError if there is none, or a name is empty or duplicate.
  /// `first_line`: number of the first line of the text.
  CsvReader(std::string text, std::string file, std::uint32_t first_line = 1);
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  [[nodiscard]] std::span<const CsvCell> header() const { return header_; }
  [[nodiscard]] std::uint32_t header_line() const { return header_line_; }
  /// The cells of the next line; valid until the next call; empty at the end of the file. Lines whose number of cells
  /// differs from the header are skipped and recorded as problems.
  [[nodiscard]] std::span<const CsvCell> next();
  /// Line number of the cells that next() returned last.
  [[nodiscard]] std::uint32_t line() const { return line_; }
  /// Number of characters after that line.
  [[nodiscard]] std::size_t characters_left() const { return text_.size() - std::min(at_, text_.size()); }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }

 private:
  void split_line();
  void name_columns();
  void check_names();

  std::string text_;
  std::string file_;
  char separator_ = ',';
  std::size_t at_ = 0;
  std::uint32_t line_ = 0;
  std::uint32_t header_line_ = 0;
  bool line_is_bad_ = false;
  std::vector<CsvCell> header_;
  std::vector<CsvCell> cells_;
  std::vector<Problem> problems_;
};

}  // namespace dfsweep
