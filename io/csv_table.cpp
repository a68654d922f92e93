/// Numbers are parsed from the text in place, in one pass over the file.
#include "io/csv_table.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <variant>

#include "io/quantity.hpp"

namespace dfsweep {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// As parse_number(), but tries std::from_chars first, which is faster.
double number_or_nan(std::string_view cell) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t sign = cell.front() == '-' || cell.front() == '+' ? 1 : 0;
  if (sign == cell.size() || !is_digit(cell[sign])) return not_a_number;  // words, also "nan" and "-inf"
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  const bool is_plain = error == std::errc{} && end == cell.data() + cell.size() && is_digit(cell.back());
  if (is_plain && (value == 0.0 || std::isnormal(value))) return value;
  const auto number = parse_number(cell);
  return std::holds_alternative<double>(number) ? std::get<double>(number) : not_a_number;
}

void add_cell(CsvColumn& column, std::string_view cell) {
  const double number = cell.empty() ? not_a_number : number_or_nan(cell);
  column.numbers.push_back(number);
  const bool is_text = !cell.empty() && std::isnan(number);
  if (is_text && column.texts.empty()) {
    column.texts.reserve(column.numbers.capacity());
    column.texts.resize(column.numbers.size() - 1);
  }
  if (is_text || !column.texts.empty()) column.texts.emplace_back(is_text ? cell : std::string_view());
}

/// Length of a line, its line break included.
std::size_t length_of(std::span<const CsvCell> line) {
  return line.back().column + line.back().text.size();
}

/// Estimates the number of rows from the length of the first line; vectors grow if it was too low.
void reserve_rows(CsvTable& table, std::size_t rows) {
  const std::size_t expected = rows + rows / 8;
  table.lines.reserve(expected);
  for (CsvColumn& column : table.columns) column.numbers.reserve(expected);
}

}  // namespace

CsvTable read_csv_table(CsvReader& reader) {
  CsvTable table;
  for (const CsvCell& cell : reader.header()) table.columns.push_back({std::string(cell.text), {}, {}});
  for (auto line = reader.next(); !line.empty(); line = reader.next()) {
    if (table.lines.empty()) reserve_rows(table, 1 + reader.characters_left() / length_of(line));
    for (std::size_t c = 0; c < line.size(); ++c) add_cell(table.columns[c], line[c].text);
    table.lines.push_back(reader.line());
  }
  return table;
}

bool is_git_lfs_pointer(std::string_view text) {
  return text.starts_with("version https://git-lfs");
}

}  // namespace dfsweep
