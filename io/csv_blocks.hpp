/// Strict reading of CSV files too large for memory: blocks of whole lines that can be read in parallel.
///
/// The format is that of io/csv.hpp. A file is divided at fixed byte offsets, and a line belongs to the block in which
/// it begins; so blocks depend on the file alone. Lines are counted from the start of their block; their numbers in the
/// file are known only after all earlier blocks were read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/diagnostic.hpp"
#include "io/file_system.hpp"

namespace dfsweep {

class CsvFile {
 public:
  static constexpr std::uint64_t default_block_bytes = std::uint64_t{4} << 20;

  /// Opens the file and reads its header. Throws UserError if there is none, or a name is empty or duplicate. Throws
  /// IoError.
  CsvFile(FileSystem& files, const std::filesystem::path& path, std::uint64_t block_bytes = default_block_bytes);

  /// The same for a text that is in memory already; `name` is what problems call it.
  CsvFile(std::string text, std::string name, std::uint64_t block_bytes = default_block_bytes);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  [[nodiscard]] std::uint32_t header_line() const { return header_line_; }
  /// ',', ';' or a tab.
  [[nodiscard]] char separator() const { return separator_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }  ///< bytes
  [[nodiscard]] std::uint64_t block_count() const;
  /// The complete lines that begin in a block; may be empty. Thread-safe. Throws IoError.
  [[nodiscard]] std::string block(std::uint64_t index) const;

 private:
  void read_header();
  [[nodiscard]] std::string read_text(std::uint64_t offset, std::uint64_t count) const;
  /// Offset of the first line that begins at or after byte `at`.
  [[nodiscard]] std::uint64_t line_from(std::uint64_t at) const;

  std::string name_;
  std::unique_ptr<File> file_;  ///< null where `text_` holds everything
  std::string text_;
  char separator_ = ',';
  std::uint64_t size_ = 0;
  std::uint64_t block_bytes_ = 0;
  std::uint64_t first_line_at_ = 0;  ///< byte after the header
  std::uint32_t header_line_ = 1;
  std::vector<std::string> header_;
};

/// A problem in a block; `line` counts from 0 at the start of the block.
struct CsvBlockProblem {
  std::uint32_t line = 0;
  std::uint32_t column = 1;  ///< character in the line, from 1
  std::string problem;
  std::string reason;
};

/// Iterates over the lines of a block and returns the cells of selected columns.
class CsvBlockReader {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// `wanted`: indices of columns in ascending order, each below `column_count`; `text` outlives the reader.
  CsvBlockReader(std::string_view text, std::size_t column_count, std::span<const std::size_t> wanted,
                 char separator = ',');

  /// Goes to the next line that has `column_count` cells; false at the end of the block. Other lines become problems.
  [[nodiscard]] bool next();
  /// Text of the wanted cells of the current line, valid until the next call; column(w) is the position of cell w in
  /// the line.
  [[nodiscard]] std::span<const std::string_view> cells() const { return cells_; }
  [[nodiscard]] std::uint32_t column(std::size_t w) const { return columns_[w]; }
  /// Number of the current line, from 0.
  [[nodiscard]] std::uint32_t line() const { return line_count_ - 1; }

  /// After the last next(): number of lines of the block, empty ones included; the first of the trailing empty lines,
  /// or `none`.
  [[nodiscard]] std::uint32_t line_count() const { return line_count_; }
  [[nodiscard]] std::uint32_t first_trailing_blank() const { return first_blank_; }
  [[nodiscard]] const std::vector<CsvBlockProblem>& problems() const { return problems_; }

 private:
  [[nodiscard]] bool take(std::string_view line);
  void add_problem(std::uint32_t line, std::uint32_t column, std::string problem, std::string reason);
  void expect_count(std::size_t found);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t column_count_;
  char separator_;
  std::vector<std::size_t> wanted_;
  std::vector<std::string_view> cells_;
  std::vector<std::uint32_t> columns_;
  std::vector<std::string> unquoted_;  ///< texts of quoted cells of the current line, one per wanted column
  std::uint32_t line_count_ = 0;
  std::uint32_t first_blank_ = none;
  std::vector<CsvBlockProblem> problems_;
};

/// Parses a text that is a decimal number, or "nan" or "inf" in any case, as a whole. Empty text is not a number.
/// Numbers outside the range of a double become infinities or zeros of the same sign.
struct CsvNumber {
  double value = 0.0;
  bool is_number = false;
};
[[nodiscard]] CsvNumber csv_number(std::string_view text);

}  // namespace dfsweep
