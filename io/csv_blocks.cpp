/// Blocks of lines: fixed byte offsets, moved to the next line break.
#include "io/csv_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "io/csv.hpp"
#include "io/csv_cells.hpp"
#include "io/number_format.hpp"

namespace dfsweep {

namespace {

constexpr std::uint64_t header_bytes = std::uint64_t{1} << 16;
constexpr std::uint64_t max_header_bytes = std::uint64_t{1} << 24;
constexpr std::uint64_t tail_bytes = std::uint64_t{1} << 14;

/// Number of bytes up to and including the line break that ends the header (after comment lines that start with '#');
/// npos if the text ends before that.
std::size_t end_of_header(std::string_view text) {
  std::size_t begin = 0;
  for (;;) {
    const std::size_t newline = text.find('\n', begin);
    if (newline == std::string_view::npos) return newline;
    if (text[begin] != '#') return newline + 1;
    begin = newline + 1;
    if (begin == text.size()) return std::string_view::npos;
  }
}

}  // namespace

CsvFile::CsvFile(FileSystem& files, const std::filesystem::path& path, std::uint64_t block_bytes)
    : name_(path.string()),
      file_(files.open(path, OpenFor::reading)),
      size_(file_->size()),
      block_bytes_(std::max<std::uint64_t>(block_bytes, 1)) {
  read_header();
}

CsvFile::CsvFile(std::string text, std::string name, std::uint64_t block_bytes)
    : name_(std::move(name)),
      text_(std::move(text)),
      size_(text_.size()),
      block_bytes_(std::max<std::uint64_t>(block_bytes, 1)) {
  read_header();
}

std::string CsvFile::read_text(std::uint64_t offset, std::uint64_t count) const {
  if (!file_) return text_.substr(std::min<std::size_t>(offset, text_.size()), count);
  std::string text(count, '\0');
  text.resize(file_->read_some(offset, std::as_writable_bytes(std::span(text))));
  return text;
}

void CsvFile::read_header() {
  std::string text;
  std::size_t end = std::string::npos;
  for (std::uint64_t bytes = header_bytes; end == std::string::npos; bytes *= 4) {
    text = read_text(0, std::min(bytes, size_));
    end = end_of_header(text);
    if (text.size() == size_ || bytes > max_header_bytes) break;
  }
  text.resize(std::min(end, text.size()));
  first_line_at_ = text.size();
  const std::size_t ending = text.find_last_not_of("\r\n");
  const std::size_t before = ending == std::string::npos ? std::string::npos : text.rfind('\n', ending);
  separator_ = separator_of(std::string_view(text).substr(before == std::string::npos ? 0 : before));
  const CsvReader header(std::move(text), name_);
  header_line_ = header.header_line();
  for (const CsvCell& cell : header.header()) header_.emplace_back(cell.text);
}

std::uint64_t CsvFile::block_count() const {
  return (size_ - std::min(first_line_at_, size_) + block_bytes_ - 1) / block_bytes_;
}

std::uint64_t CsvFile::line_from(std::uint64_t at) const {
  if (at <= first_line_at_ || at >= size_) return std::clamp(at, first_line_at_, size_);
  for (std::uint64_t from = at - 1; from < size_;) {  // a line begins at `at` only after a line break
    const std::string text = read_text(from, std::min(tail_bytes, size_ - from));
    const std::size_t newline = text.find('\n');
    if (newline != std::string::npos) return from + newline + 1;
    if (text.empty()) break;
    from += text.size();
  }
  return size_;
}

std::string CsvFile::block(std::uint64_t index) const {
  const std::uint64_t begin = line_from(first_line_at_ + index * block_bytes_);
  const std::uint64_t end = line_from(std::min(first_line_at_ + (index + 1) * block_bytes_, size_));
  return begin < end ? read_text(begin, end - begin) : std::string();
}

CsvBlockReader::CsvBlockReader(std::string_view text, std::size_t column_count, std::span<const std::size_t> wanted,
                               char separator)
    : text_(text),
      column_count_(column_count),
      separator_(separator),
      wanted_(wanted.begin(), wanted.end()),
      cells_(wanted.size()),
      columns_(wanted.size()),
      unquoted_(wanted.size()) {}

bool CsvBlockReader::next() {
  while (at_ < text_.size()) {
    const char* begin = text_.data() + at_;
    const auto* found = static_cast<const char*>(std::memchr(begin, '\n', text_.size() - at_));
    std::size_t length = found == nullptr ? text_.size() - at_ : static_cast<std::size_t>(found - begin);
    at_ += length + 1;
    ++line_count_;
    if (length > 0 && begin[length - 1] == '\r') --length;
    if (length == 0) {
      if (first_blank_ == none) first_blank_ = line();
      continue;
    }
    if (first_blank_ != none) {
      add_problem(first_blank_, 1, "line is empty", fmt::format("the header has {}", column_count_));
      first_blank_ = none;
    }
    if (take({begin, length})) return true;
  }
  return false;
}

bool CsvBlockReader::take(std::string_view line_text) {
  CsvCells cells(line_text, separator_);
  std::size_t found = 0;
  for (std::size_t w = 0; cells.next(); ++found) {
    if (w == wanted_.size() || wanted_[w] != found) continue;
    cells_[w] = cells.text();
    columns_[w] = cells.column();
    if (cells.has_doubled_quotes()) {
      unquoted_[w].resize(cells_[w].size());
      unquoted_[w].resize(unquote(cells_[w], unquoted_[w].data()));
      cells_[w] = unquoted_[w];
    }
    ++w;
  }
  if (cells.is_unclosed()) {
    add_problem(line(), cells.column(), "unterminated quoted cell",
                "a line break or a character after the closing quote");
    return false;
  }
  expect_count(found);
  return found == column_count_;
}

void CsvBlockReader::expect_count(std::size_t found) {
  if (found != column_count_)
    add_problem(line(), 1, "line has " + counted(found, "cell"), fmt::format("the header has {}", column_count_));
}

void CsvBlockReader::add_problem(std::uint32_t line, std::uint32_t column, std::string problem, std::string reason) {
  if (problems_.size() < max_csv_problems) problems_.push_back({line, column, std::move(problem), std::move(reason)});
}

CsvNumber csv_number(std::string_view text) {
  CsvNumber number;
  const char* begin = text.data();
  const char* const end = begin + text.size();
  if (end - begin > 1 && begin[0] == '+' && begin[1] != '-') ++begin;
  const auto [stop, error] = std::from_chars(begin, end, number.value);
  if (stop != end || error == std::errc::invalid_argument) return {};
  number.is_number = true;
  if (error == std::errc::result_out_of_range) {
    const bool is_tiny = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
    const double size = is_tiny ? 0.0 : std::numeric_limits<double>::infinity();
    number.value = *begin == '-' ? -size : size;
  }
  return number;
}

}  // namespace dfsweep
