/// CSV as written: RFC 4180 with line feeds, numbers in shortest round-trip form, empty where there is no value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dfsweep {

/// Appends cells and lines to a text that the caller takes away from time to time.
class CsvWriter {
 public:
  /// Quoted where it holds a comma, a quote or a line break.
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

/// A text as one cell of CSV.
[[nodiscard]] std::string csv_cell(std::string_view text);

}  // namespace dfsweep
