/// The reader works in place: cells are views of the file's text, whose doubled quotes are closed up as they are met.
#include "io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dfsweep {

namespace {

constexpr std::string_view index_name = "index";
constexpr std::size_t most_problems = 100;  ///< a file of another form would repeat itself

}  // namespace

CsvReader::CsvReader(std::string text, std::string file, UnnamedColumn unnamed)
    : text_(std::move(text)), file_(std::move(file)) {
  if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
  do {
    if (at_ >= text_.size())
      throw UserError({{{file_, std::max(line_, 1u), 1}, "no header line", "the file is empty", ""}});
    split_line();
  } while (!cells_.empty() && cells_.front().text.starts_with('#'));
  header_ = cells_;
  header_line_ = line_;
  if (unnamed == UnnamedColumn::index && !header_.empty() && header_.front().text.empty())
    header_.front().text = index_name;
  for (std::size_t i = 0; i < header_.size(); ++i) {
    const SourcePosition at{file_, line_, header_[i].column};
    if (header_[i].text.empty()) problems_.push_back({at, "column has no name", "", ""});
    for (std::size_t j = 0; j < i && !header_[i].text.empty(); ++j)
      if (header_[j].text == header_[i].text)
        problems_.push_back({at, fmt::format("column '{}' occurs twice", header_[i].text), "", ""});
  }
  if (!problems_.empty()) throw UserError(problems_);
}

std::span<const CsvCell> CsvReader::next() {
  while (at_ < text_.size()) {
    split_line();
    if (line_is_bad_) continue;
    if (cells_.size() == header_.size() && !(cells_.size() == 1 && cells_.front().text.empty())) return cells_;
    const bool is_blank = cells_.size() == 1 && cells_.front().text.empty();
    if (is_blank && text_.find_first_not_of("\r\n", at_) == std::string::npos) return {};
    if (problems_.size() < most_problems)
      problems_.push_back({{file_, line_, 1},
                           is_blank ? std::string("line is empty") : fmt::format("line has {} cells", cells_.size()),
                           fmt::format("the header has {}", header_.size()),
                           ""});
  }
  return {};
}

void CsvReader::split_line() {
  cells_.clear();
  ++line_;
  line_is_bad_ = false;
  const std::size_t begin = at_;
  const std::size_t newline = std::min(text_.find('\n', at_), text_.size());
  at_ = newline + 1;
  const std::size_t end = newline > begin && text_[newline - 1] == '\r' ? newline - 1 : newline;
  for (std::size_t i = begin;;) {
    const auto column = static_cast<std::uint32_t>(i - begin + 1);
    std::size_t stop = i;
    if (i < end && text_[i] == '"') {
      stop = i + 1;
      while (stop < end && (text_[stop] != '"' || (stop + 1 < end && text_[stop + 1] == '"')))
        stop += text_[stop] == '"' ? 2 : 1;
      const bool closed = stop < end && (stop + 1 == end || text_[stop + 1] == ',');
      if (!closed) {
        line_is_bad_ = true;
        if (problems_.size() < most_problems)
          problems_.push_back({{file_, line_, column},
                               "quoted cell does not end",
                               "a line break or a character after the closing quote",
                               ""});
        return;
      }
      cells_.push_back({unquoted(i + 1, stop), column});
      ++stop;
    } else {
      while (stop < end && text_[stop] != ',') ++stop;
      cells_.push_back({std::string_view(text_).substr(i, stop - i), column});
    }
    if (stop >= end) return;
    i = stop + 1;
  }
}

std::string_view CsvReader::unquoted(std::size_t begin, std::size_t end) {
  std::size_t out = begin;
  for (std::size_t i = begin; i < end; ++i) {
    text_[out++] = text_[i];
    if (text_[i] == '"') ++i;
  }
  return std::string_view(text_).substr(begin, out - begin);
}

}  // namespace dfsweep
