/// A table, described once: columns with names, units and cells. Each format has one renderer of such tables.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/terminal.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep {

/// A number for people; of an interval both ends.
using NumberText = std::function<std::string(double)>;
/// "0.1234", "-" where NaN.
[[nodiscard]] NumberText significant(int digits);
/// "0.12", "-" where NaN.
[[nodiscard]] NumberText decimals(int digits);

/// Nothing: the row has no such value. A number that could not be computed is NaN instead. An interval is of
/// quantities.
using DataCell = std::variant<std::monostate, double, std::uint64_t, bool, std::string, Interval>;

enum class ColumnKind : std::uint8_t {
  number,  ///< also counts and truth values
  text,
  interval
};

/// How a text shows a column. Control characters of its cells are escaped.
struct ColumnLook {
  std::string heading;
  int weight = 0;  ///< heavier columns stay where the terminal is narrow
  NumberText number = significant(4);
  std::string empty = {};           ///< instead of an empty cell
  std::string unit = {};            ///< second line of the heading
  std::size_t narrowest = 0;        ///< as TextColumn::narrowest
  std::optional<Align> align = {};  ///< else texts and intervals are flush left, the rest flush right
};

/// What a column is called.
struct ColumnName {
  std::string name;        ///< in the file, and for views
  std::string unit = "1";  ///< of numbers
  std::string json = {};   ///< path in the row's object, "learning_rate/coefficients/lnN"; empty: `name`
  double absent = NAN;     ///< what the file holds where the row has no value
};

/// Where a column appears, apart from texts that show it.
enum class ColumnUse : std::uint8_t {
  result,  ///< in the file and in JSON
  file,    ///< in the file only: JSON says the same by the object that holds the row, or in other members
  view     ///< in texts only: made of other columns for a reader's eye
};

/// A column at that path in JSON; in the file its name has '_' for '/'.
[[nodiscard]] ColumnName in_json(std::string path, std::string unit = "1");

struct DataColumn {
  ColumnName called;
  ColumnKind kind = ColumnKind::number;
  ColumnUse use = ColumnUse::result;
  std::vector<DataCell> cells;          ///< [row]
  std::optional<ColumnLook> look = {};  ///< of columns that are part of the text of their table
};

struct DataTable {
  std::string path;  ///< of its group in the file
  std::string meaning;
  std::vector<DataColumn> columns;
  std::size_t rows = 0;
  std::vector<std::size_t> parent = {};  ///< [row] row of the table whose JSON holds this one; empty: none

  /// Pre: there is one of that name.
  [[nodiscard]] const DataColumn& column(std::string_view name) const;
};

template <class Value>
struct CellOf {
  static constexpr ColumnKind kind = std::is_arithmetic_v<Value> || std::is_same_v<Value, DataCell> ? ColumnKind::number
                                     : std::is_same_v<Value, Interval> ? ColumnKind::interval
                                                                       : ColumnKind::text;
  static DataCell make(const Value& value) {
    if constexpr (kind == ColumnKind::text)
      return std::string(value);
    else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>)
      return std::uint64_t{value};
    else
      return value;
  }
};

template <class Value>
struct CellOf<std::optional<Value>> {
  static constexpr ColumnKind kind = CellOf<Value>::kind;
  static DataCell make(const std::optional<Value>& value) { return value ? CellOf<Value>::make(*value) : DataCell(); }
};

/// Builds a table from rows of any type.
template <class Row>
class TableOf {
 public:
  /// Of a table that no file holds.
  explicit TableOf(std::vector<Row> rows) : TableOf({}, {}, std::move(rows)) {}
  TableOf(std::string path, std::string meaning, std::vector<Row> rows)
      : table_{std::move(path), std::move(meaning), {}, rows.size()}, rows_(std::move(rows)) {}

  /// `value`: what a row has there, as a function or a member; an optional without value leaves the cell empty.
  template <class Value>
  TableOf& add(ColumnName called, Value value, ColumnUse use = ColumnUse::result) {
    using Made = CellOf<std::decay_t<std::invoke_result_t<Value, const Row&>>>;
    DataColumn column{std::move(called), Made::kind, use, {}, {}};
    column.cells.reserve(rows_.size());
    for (const Row& row : rows_) column.cells.push_back(Made::make(std::invoke(value, row)));
    table_.columns.push_back(std::move(column));
    return *this;
  }
  template <class Value>
  TableOf& in_file(ColumnName called, Value value) {
    return add(std::move(called), std::move(value), ColumnUse::file);
  }
  template <class Value>
  TableOf& view(std::string name, Value value) {
    return add({std::move(name)}, std::move(value), ColumnUse::view);
  }
  /// A result that the text shows, too.
  template <class Value>
  TableOf& add(ColumnName called, Value value, ColumnLook look) {
    add(std::move(called), std::move(value));
    table_.columns.back().look = std::move(look);
    return *this;
  }
  /// A column of the text alone.
  template <class Value>
  TableOf& show(ColumnLook look, Value value) {
    view({}, std::move(value));
    table_.columns.back().look = std::move(look);
    return *this;
  }
  template <class Number>
  TableOf& below(Number parent) {
    for (const Row& row : rows_) table_.parent.push_back(std::invoke(parent, row));
    return *this;
  }
  [[nodiscard]] DataTable take() { return std::move(table_); }

 private:
  DataTable table_;
  std::vector<Row> rows_;
};

/// Members and functions one after the other: along(&Row::surface, &Surface::optimum)(row) is row.surface->optimum.
template <class First, class... Rest>
auto along(First first, Rest... rest) {
  return [=](const auto& row) {
    if constexpr (sizeof...(rest) == 0)
      return std::invoke(first, row);
    else
      return along(rest...)(std::invoke(first, row));
  };
}

/// exp of what `logarithm` says of a row.
template <class Logarithm>
auto exp_of(Logarithm logarithm) {
  return along(logarithm, [](double value) { return std::exp(value); });
}

/// A text; JSON has null for an empty one.
[[nodiscard]] DataCell text_or_null(std::string_view text);

/// `value` of the optional that `source` gives for a row; empty where that is.
template <class Source, class... Value>
auto if_any(Source source, Value... value) {
  return [=](const auto& row) {
    const auto found = std::invoke(source, row);
    return found ? std::optional(along(value...)(*found)) : std::nullopt;
  };
}

}  // namespace dfsweep
