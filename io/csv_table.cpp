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

/// As parse_number, whose grammar decides wherever the C++ library reads more or less than all of the cell.
double number_or_nan(std::string_view cell) {
  const char first = cell.front() == '-' && cell.size() > 1 ? cell[1] : cell.front();
  const bool is_word = first < '0' || first > '9';  // "inf", "-nan", ".5"
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  const bool is_plain = error == std::errc{} && end == cell.data() + cell.size() && cell.back() != '.' && !is_word;
  if (is_plain && (value == 0.0 || std::isnormal(value))) return value;
  const auto number = parse_number(cell);
  return std::holds_alternative<double>(number) ? std::get<double>(number) : not_a_number;
}

void add_cell(CsvColumn& column, std::string_view cell) {
  const double number = cell.empty() ? not_a_number : number_or_nan(cell);
  column.numbers.push_back(number);
  const bool is_text = !cell.empty() && std::isnan(number);
  if (is_text && column.texts.empty()) column.texts.resize(column.numbers.size() - 1);
  if (is_text || !column.texts.empty()) column.texts.emplace_back(is_text ? cell : std::string_view());
}

}  // namespace

CsvTable read_csv_table(CsvReader& reader) {
  CsvTable table;
  for (const CsvCell& cell : reader.header()) table.columns.push_back({std::string(cell.text), {}, {}});
  for (auto line = reader.next(); !line.empty(); line = reader.next()) {
    for (std::size_t c = 0; c < line.size(); ++c) add_cell(table.columns[c], line[c].text);
    table.lines.push_back(reader.line());
  }
  return table;
}

bool is_git_lfs_pointer(std::string_view text) {
  return text.starts_with("version https://git-lfs");
}

}  // namespace dfsweep
