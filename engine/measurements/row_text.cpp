/// The header is rewritten in place, so that all other lines keep their places.
#include "engine/measurements/row_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "engine/console/usage_error.hpp"
#include "engine/measurements/missing_cells.hpp"
#include "engine/sweep/other_words.hpp"
#include "io/checksum.hpp"
#include "io/json_lines.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "io/terminal.hpp"
#include "io/text_file.hpp"

namespace dfsweep {

namespace {

/// "Step Time (s)" as "step_time".
std::string plain_name(std::string_view name) {
  std::string text;
  for (const char c : name.substr(0, name.find_first_of("([")))
    text += c == ' ' || c == '-' || c == '/' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  while (!text.empty() && text.back() == '_') text.pop_back();
  return text;
}

/// The place of the header line in a text that CsvReader accepts.
std::pair<std::size_t, std::size_t> header_line(std::string_view text, std::uint32_t number) {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < number; ++line) begin = text.find('\n', begin) + 1;
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  return {begin, end > begin && text[end - 1] == '\r' ? end - 1 : end};
}

std::string quoted_cell(std::string_view text) {
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

bool contains(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<ColumnPair> column_pairs(std::string_view text) {
  std::vector<ColumnPair> pairs;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, comma - begin);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == part.size())
      throw UsageError(
          fmt::format("--columns: '{}' is not a pair. Write NAME=COLUMN,..., as in learning_rate=lr.", part));
    pairs.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    begin = comma + 1;
  }
  return pairs;
}

RowText read_row_text(const std::filesystem::path& path) {
  RowText rows;
  rows.shown = path == "-" ? "standard input" : path.string();
  rows.text = read_text_file(path, rows.shown, max_table_bytes);
  rows.checksum = xxh3_128_hex(std::as_bytes(std::span(rows.text)));
  const std::string extension = path.extension().string();
  if (extension == ".jsonl" || extension == ".ndjson" || (path == "-" && is_json_lines(rows.text))) {
    rows.text = csv_of_json_lines(rows.text, rows.shown);
    rows.first_line = 0;
  }
  return rows;
}

void rename_columns(RowText& rows, std::span<const ColumnPair> pairs) {
  if (pairs.empty()) return;
  const CsvReader reader(rows.text, rows.shown);
  std::vector<std::string> names;
  for (const CsvCell& cell : reader.header()) names.emplace_back(cell.text);
  const std::vector<std::string> before = names;
  std::vector<Problem> problems;
  for (const auto& [left, right] : pairs) {
    const auto column = std::find(before.begin(), before.end(), contains(before, right) ? right : left);
    if (column == before.end())
      problems.push_back({{rows.shown, reader.header_line(), 1},
                          fmt::format("there is no column '{}'", printable(right)),
                          fmt::format("--columns {}={}", printable(left), printable(right)),
                          did_you_mean(right, before)});
    else
      names[static_cast<std::size_t>(column - before.begin())] = *column == right ? left : right;
  }
  if (!problems.empty()) throw UserError(std::move(problems));
  const auto [begin, end] = header_line(rows.text, reader.header_line());
  const char separator = separator_of(std::string_view(rows.text).substr(begin, end - begin));
  std::string header;
  for (const std::string& name : names) header += (header.empty() ? "" : std::string(1, separator)) + quoted_cell(name);
  rows.text.replace(begin, end - begin, header);
}

std::vector<ColumnPair> lookalike_columns(std::span<const CsvCell> header, std::span<const std::string> known) {
  std::vector<std::string> taken;
  for (const CsvCell& cell : header) taken.emplace_back(cell.text);
  std::vector<ColumnPair> pairs;
  for (const CsvCell& cell : header) {
    if (contains(known, cell.text)) continue;
    const std::string plain = plain_name(cell.text);
    const std::string ours = contains(known, plain) ? plain : own_word(plain, known);
    if (ours.empty() || contains(taken, ours)) continue;
    pairs.emplace_back(ours, cell.text);
    taken.push_back(ours);
  }
  return pairs;
}

std::string columns_option(std::span<const ColumnPair> pairs) {
  std::string text;
  for (const auto& [ours, theirs] : pairs) text += fmt::format("{}{}={}", text.empty() ? "" : ",", ours, theirs);
  if (text.empty()) return text;
  const bool is_quoted = text.find_first_of(" ()[]") != std::string::npos;
  return is_quoted ? fmt::format("--columns \"{}\"", printable(text)) : "--columns " + printable(text);
}

void count_missing(std::vector<MissingWord>& words, std::string_view word, std::uint32_t line) {
  const std::string_view bare = bare_text(word);
  const auto found =
      std::find_if(words.begin(), words.end(), [bare](const MissingWord& each) { return each.word == bare; });
  if (found == words.end())
    words.push_back({std::string(bare), 1, line});
  else
    ++found->rows;
}

std::string missing_message(const std::string& shown, std::span<const MissingWord> words) {
  std::string list;
  std::size_t cells = 0;
  for (const MissingWord& each : words) {
    cells += each.rows;
    list += fmt::format("{}{} {} ({} {})", list.empty() ? "" : ", ", printable(each.word), each.rows,
                        each.rows > 1 ? "first in line" : "line", each.first_line);
  }
  if (list.empty()) return list;
  return fmt::format("{}: {} without a measurement: {}", shown, counted(cells, "cell"), list);
}

}  // namespace dfsweep
