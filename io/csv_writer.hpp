/// CSV as written: RFC 4180 with line feeds, numbers in shortest round-trip form, empty cells for missing values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dfsweep {

/// Appends cells and lines to a buffer that the caller empties.
class CsvWriter {
 public:
  /// Quotes the text if it contains a comma, a quote or a line break.
  void cell(std::string_view text);
  void cell(double number);  ///< NaN: an empty cell
  void cell(std::uint64_t number);
  void end_line();
  [[nodiscard]] const std::string& text() const { return text_; }
  void clear() { text_.clear(); }

 private:
  void separate();
  std::string text_;
  bool line_has_cells_ = false;
};

/// The text, with an apostrophe before it where a spreadsheet would take it for a formula: it begins with = + - or @
/// and is not a number.
[[nodiscard]] std::string without_formula(std::string text);

/// Escapes a text as one CSV cell.
[[nodiscard]] std::string csv_cell(std::string_view text);

}  // namespace dfsweep
