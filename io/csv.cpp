/// The reader works in place: cells are views of the file's text; doubled quotes are unescaped in that text.
#include "io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "io/csv_cells.hpp"
#include "io/number_format.hpp"

namespace dfsweep {

char separator_of(std::string_view header) {
  const auto count = [header](char each) { return std::count(header.begin(), header.end(), each); };
  char most = ',';
  for (const char each : {'\t', ';', '|'})
    if (count(each) > count(most)) most = each;
  return most;
}

CsvReader::CsvReader(std::string text, std::string file, std::uint32_t first_line)
    : text_(std::move(text)), file_(std::move(file)), line_(first_line - 1) {
  if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
  do {
    if (at_ >= text_.size())
      throw UserError({{{file_, std::max(line_ + 1, 2u) - 1, 1}, "no header line", "the file is empty", ""}});
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    separator_ = separator_of(std::string_view(text_).substr(at_, end - at_));
    split_line();
  } while (!cells_.empty() && cells_.front().text.starts_with('#'));
  header_ = cells_;
  header_line_ = line_;
  name_columns();
  check_names();
  if (!problems_.empty()) throw UserError(problems_);
}

void CsvReader::name_columns() {
  for (CsvCell& cell : header_) {
    const std::size_t first = std::min(cell.text.find_first_not_of(' '), cell.text.size());
    cell.text.remove_prefix(first);
    cell.column += static_cast<std::uint32_t>(first);
    cell.text.remove_suffix(cell.text.size() - (cell.text.find_last_not_of(' ') + 1));
  }
  if (header_.size() > 1 && header_.front().text.empty()) header_.front().text = index_column;
}

void CsvReader::check_names() {
  std::unordered_set<std::string_view> names;
  for (const CsvCell& cell : header_) {
    if (problems_.size() == max_csv_problems) return;
    const SourcePosition at{file_, line_, cell.column};
    if (cell.text.empty())
      problems_.push_back({at, "column has no name", "", ""});
    else if (!names.insert(cell.text).second)
      problems_.push_back({at, fmt::format("column '{}' occurs twice", cell.text), "", ""});
  }
}

std::span<const CsvCell> CsvReader::next() {
  while (at_ < text_.size()) {
    split_line();
    if (line_is_bad_) continue;
    if (cells_.size() == header_.size() && !(cells_.size() == 1 && cells_.front().text.empty())) return cells_;
    const bool is_blank = cells_.size() == 1 && cells_.front().text.empty();
    if (is_blank && text_.find_first_not_of("\r\n", at_) == std::string::npos) return {};
    if (problems_.size() < max_csv_problems)
      problems_.push_back({{file_, line_, 1},
                           is_blank ? std::string("line is empty") : "line has " + counted(cells_.size(), "cell"),
                           fmt::format("the header has {}", header_.size()),
                           ""});
  }
  return {};
}

void CsvReader::split_line() {
  cells_.clear();
  ++line_;  // from the largest number to 0 where lines begin at 0
  line_is_bad_ = false;
  const std::size_t begin = at_;
  const std::size_t newline = std::min(text_.find('\n', at_), text_.size());
  at_ = newline + 1;
  const std::size_t end = newline > begin && text_[newline - 1] == '\r' ? newline - 1 : newline;
  CsvCells cells(std::string_view(text_).substr(begin, end - begin), separator_);
  while (cells.next()) {
    std::string_view text = cells.text();
    if (cells.has_doubled_quotes()) text = {text.data(), unquote(text, text_.data() + (text.data() - text_.data()))};
    cells_.push_back({text, cells.column()});
  }
  line_is_bad_ = cells.is_unclosed();
  if (line_is_bad_ && problems_.size() < max_csv_problems)
    problems_.push_back({{file_, line_, cells.column()},
                         "unterminated quoted cell",
                         "a line break or a character after the closing quote",
                         ""});
}

}  // namespace dfsweep
