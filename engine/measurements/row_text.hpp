/// Tables of measured rows as people and tools write them, as one CSV text with our names.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/csv.hpp"

namespace dfsweep {

/// A pair of the option --columns, in either order: "learning_rate=peak_lr" or "peak_lr=learning_rate".
using ColumnPair = std::pair<std::string, std::string>;

/// Splits "lr=learning_rate,loss=final". Throws UsageError where a part is no pair.
[[nodiscard]] std::vector<ColumnPair> column_pairs(std::string_view text);

struct RowText {
  std::string text;
  std::string shown;             ///< what messages call the file
  std::string checksum;          ///< XXH3-128 of the bytes that were read
  std::uint32_t first_line = 1;  ///< number of the first line of `text`: 0 where the header was added to JSON lines
};

/// Reads CSV (commas, semicolons, tabs, bars) or JSON lines, "-" from standard input. Throws IoError, and UserError
/// where a line is no JSON object.
[[nodiscard]] RowText read_row_text(const std::filesystem::path& path);

/// Gives columns other names. A pair names a column of the header on one side, and its new name on the other. Throws
/// UserError where it names no column.
void rename_columns(RowText& rows, std::span<const ColumnPair> pairs);

/// Columns that are not in `known` but look like one of its names, with that name: ("step_time", "Step Time (s)"),
/// ("tensor_parallel", "TP"). A name that has a column already is not offered.
[[nodiscard]] std::vector<ColumnPair> lookalike_columns(std::span<const CsvCell> header,
                                                        std::span<const std::string> known);

/// The option that maps them: --columns "step_time=Step Time,tensor_parallel=TP"; empty without pairs.
[[nodiscard]] std::string columns_option(std::span<const ColumnPair> pairs);

/// A word that stood where a measurement was expected, and how often.
struct MissingWord {
  std::string word;
  std::size_t rows = 0;
  std::uint32_t first_line = 0;
};

/// Counts another one; words that differ in nothing but blanks are one.
void count_missing(std::vector<MissingWord>& words, std::string_view word, std::uint32_t line);

/// "rows.csv: no measurement in 3 cells: OOM 2 (first in line 4), n/a 1 (line 7)"; empty without words.
[[nodiscard]] std::string missing_message(const std::string& shown, std::span<const MissingWord> words);

}  // namespace dfsweep
