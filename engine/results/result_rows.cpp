/// Formats cells of result files: codes as labels or flags, numbers with units.
#include "engine/results/result_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/console/usage_error.hpp"
#include "engine/sweep/estimators.hpp"
#include "engine/sweep/other_words.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep {
namespace {

const Attribute* attribute_named(const DatasetColumn& column, std::string_view name) {
  for (const Attribute& attribute : column.attributes)
    if (attribute.name == name) return &attribute;
  return nullptr;
}

/// CF flags: space-separated names, one per value of flag_values (default: 0, 1, 2, ...).
std::vector<std::string> flag_names(const DatasetColumn& column) {
  std::vector<std::string> names;
  std::vector<std::int64_t> codes;
  if (const Attribute* values = attribute_named(column, "flag_values"))
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&values->value)) codes = *list;
  std::string_view meanings;
  const std::string text = column.text("flag_meanings");
  meanings = text;
  for (std::size_t flag = 0; !meanings.empty(); ++flag) {
    const std::size_t blank = std::min(meanings.find(' '), meanings.size());
    const std::size_t code = flag < codes.size() ? static_cast<std::size_t>(codes[flag]) : flag;
    if (code >= names.size()) names.resize(code + 1);
    names[code] = meanings.substr(0, blank);
    meanings.remove_prefix(std::min(blank + 1, meanings.size()));
  }
  return names;
}

bool has_name(const RowCells& cells, double code) {
  return code >= 0.0 && code < static_cast<double>(cells.names.size()) &&
         !cells.names[static_cast<std::size_t>(code)].empty();
}

}  // namespace

ResultViews views_of(const DatasetReader& file) {
  const Estimator* estimator = find_estimator(file.attribute("estimator"));
  return estimator != nullptr ? estimator->views() : ResultViews{};
}

const DatasetColumn& column_named(const DatasetReader& file, std::string_view name, std::string_view option) {
  if (const DatasetColumn* column = file.column(name)) return *column;
  std::vector<std::string> names;
  for (const DatasetColumn& column : file.columns()) names.push_back(printable(column.name));
  std::string message = std::string(option) + ": no column '" + printable(name) + "'";
  for (const FixedValue& fixed : file.fixed())
    if (fixed.name == name)
      throw UsageError(message + " (this parameter has the same value in all rows of this file).");
  throw UsageError(message + ". " + word_hint(name, names, "The columns are " + listed(names, names.size()) + "."));
}

std::vector<std::string> value_names(const DatasetReader& file, const DatasetColumn& column) {
  if (column.is_categorical()) return file.labels(column);
  return flag_names(column);
}

std::optional<double> fill_value(const DatasetColumn& column) {
  const Attribute* attribute = attribute_named(column, "_FillValue");
  const auto* whole = attribute == nullptr ? nullptr : std::get_if<std::int64_t>(&attribute->value);
  if (whole == nullptr) return std::nullopt;
  return static_cast<double>(*whole);
}

namespace {

constexpr std::uint64_t window_rows = 65536;
constexpr std::size_t worth_a_window = 8;  ///< a read of one value takes about as long as a read of 10 000

/// [row] values of `rows`, which may be many, scattered and unsorted.
template <class T>
std::vector<T> values_of(const DatasetReader& file, const DatasetColumn& column, std::span<const std::uint64_t> rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a] < rows[b]; });
  std::vector<T> values(rows.size());
  std::vector<T> window;
  for (std::size_t begin = 0; begin < order.size();) {
    const std::uint64_t first = rows[order[begin]];
    std::size_t end = begin + 1;
    while (end < order.size() && rows[order[end]] - first < window_rows) ++end;
    if (end - begin < worth_a_window) end = begin + 1;
    window.resize(static_cast<std::size_t>(rows[order[end - 1]] - first + 1));
    file.read(column, first, std::span<T>(window));
    for (; begin < end; ++begin) values[order[begin]] = window[static_cast<std::size_t>(rows[order[begin]] - first)];
  }
  return values;
}

}  // namespace

RowCells read_cells(const DatasetReader& file, const DatasetColumn& column, std::span<const std::uint64_t> rows) {
  DFSWEEP_EXPECT(column.width == 1);
  RowCells cells{.column = &column, .names = value_names(file, column), .numbers = {}, .wholes = {}};
  if (column.type == ElementType::uint64) {
    cells.wholes = values_of<std::uint64_t>(file, column, rows);
    return cells;
  }
  cells.numbers = values_of<double>(file, column, rows);
  if (const std::optional<double> fill = fill_value(column))
    std::replace(cells.numbers.begin(), cells.numbers.end(), *fill, absent);
  return cells;
}

Json json_cell(const RowCells& cells, std::size_t row) {
  if (!cells.wholes.empty()) return cells.wholes[row];
  const double number = cells.numbers[row];
  if (has_name(cells, number)) return cells.names[static_cast<std::size_t>(number)];
  return number;
}

std::string text_cell(const RowCells& cells, std::size_t row) {
  if (!cells.wholes.empty()) return std::to_string(cells.wholes[row]);
  const double number = cells.numbers[row];
  if (has_name(cells, number)) return printable(cells.names[static_cast<std::size_t>(number)]);
  return with_unit(number, cells.column->units);
}

TextColumn text_column(const RowCells& cells) {
  TextColumn text{.heading = printable(cells.column->name), .unit = {}, .align = Align::right, .cells = {}};
  if (!cells.names.empty()) {
    text.align = Align::left;
    for (std::size_t row = 0; row < cells.numbers.size(); ++row) text.cells.push_back(text_cell(cells, row));
  } else if (!cells.wholes.empty()) {
    for (std::size_t row = 0; row < cells.wholes.size(); ++row) text.cells.push_back(text_cell(cells, row));
  } else {
    NumberColumn numbers = format_column(cells.numbers, cells.column->units);
    text.unit = printable(numbers.unit);
    text.cells = std::move(numbers.cells);
  }
  return text;
}

std::string fixed_value_text(const FixedValue& fixed) {
  if (const auto* text = std::get_if<std::string>(&fixed.value)) return printable(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&fixed.value))
    return input_with_unit(static_cast<double>(*whole), fixed.units);
  return input_with_unit(std::get<double>(fixed.value), fixed.units);
}

}  // namespace dfsweep
