/// CsvCells: splits one line of a CSV file into cells; the only code that handles separators and quotes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace dfsweep {

class CsvCells {
 public:
  /// Pre: `line` has no line break and outlives this object.
  explicit CsvCells(std::string_view line, char separator = ',')
      : cell_(line.data()), stop_(line.data()), line_(line), separator_(separator) {}

  /// Goes to the next cell; false after the last one, and at a quoted cell that does not end.
  [[nodiscard]] bool next() {
    if (is_last_) return false;
    const char* const end = line_.data() + line_.size();
    if (has_begun_) stop_ += is_quoted_ ? 2 : 1;  // the closing quote and the separator
    has_begun_ = true;
    begin_ = stop_;
    cell_ = begin_;
    has_doubled_quotes_ = false;
    is_quoted_ = begin_ != end && *begin_ == '"';
    if (is_quoted_) return next_quoted(end);
    const auto* comma =
        static_cast<const char*>(std::memchr(begin_, separator_, static_cast<std::size_t>(end - begin_)));
    stop_ = comma == nullptr ? end : comma;
    is_last_ = comma == nullptr;
    return true;
  }

  /// The current cell without its quotes; doubled quotes are still doubled.
  [[nodiscard]] std::string_view text() const { return {cell_, static_cast<std::size_t>(stop_ - cell_)}; }
  [[nodiscard]] bool has_doubled_quotes() const { return has_doubled_quotes_; }
  /// Position of the first character of the current cell (its quote included), from 1.
  [[nodiscard]] std::uint32_t column() const { return static_cast<std::uint32_t>(begin_ - line_.data() + 1); }
  /// next() stopped at a cell whose quote is not closed, or is not followed by a separator.
  [[nodiscard]] bool is_unclosed() const { return is_unclosed_; }

 private:
  [[nodiscard]] bool next_quoted(const char* end) {
    cell_ = begin_ + 1;
    for (stop_ = cell_; stop_ < end; ++stop_) {
      if (*stop_ != '"') continue;
      if (stop_ + 1 == end || stop_[1] != '"') break;
      has_doubled_quotes_ = true;
      ++stop_;
    }
    is_last_ = stop_ >= end || stop_ + 1 == end;
    is_unclosed_ = stop_ >= end || (stop_ + 1 != end && stop_[1] != separator_);
    if (is_unclosed_) is_last_ = true;
    return !is_unclosed_;
  }

  const char* begin_ = nullptr;  ///< start of the cell, quote included
  const char* cell_;             ///< start of its text
  const char* stop_;             ///< end of its text
  std::string_view line_;
  char separator_;
  bool has_begun_ = false;
  bool is_quoted_ = false;
  bool is_last_ = false;
  bool is_unclosed_ = false;
  bool has_doubled_quotes_ = false;
};

/// Writes `text` with doubled quotes unescaped to `out` (may be text.data()); returns the number of bytes written.
inline std::size_t unquote(std::string_view text, char* out) {
  const char* const begin = out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    *out++ = text[i];
    if (text[i] == '"') ++i;
  }
  return static_cast<std::size_t>(out - begin);
}

}  // namespace dfsweep
