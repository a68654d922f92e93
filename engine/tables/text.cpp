/// Tables as text.
#include <fmt/format.h>

#include <algorithm>

#include "engine/tables/rendering.hpp"

namespace dfsweep {

namespace {

struct ToText {
  const ColumnLook& look;
  std::string operator()(std::monostate) const { return look.empty; }
  std::string operator()(double value) const { return look.number(value); }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(bool value) const { return value ? "yes" : "no"; }
  std::string operator()(const std::string& value) const { return printable(value); }
  std::string operator()(const Interval& value) const {
    return fmt::format("{} .. {}", look.number(value.low), look.number(value.high));
  }
};

TextColumn text_column(const DataColumn& column, const ColumnLook& look, std::size_t rows) {
  const Align usual = column.kind == ColumnKind::number ? Align::right : Align::left;
  TextColumn made{look.heading, look.unit, look.align.value_or(usual), {}, look.weight, look.narrowest};
  for (std::size_t row = 0; row < rows; ++row) made.cells.push_back(std::visit(ToText{look}, column.cells[row]));
  return made;
}

}  // namespace

NumberText significant(int digits) {
  return [digits](double value) { return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "-"; };
}

NumberText decimals(int digits) {
  return [digits](double value) { return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "-"; };
}

std::vector<TextColumn> text_columns(const DataTable& table, std::size_t most) {
  std::vector<TextColumn> columns;
  for (const DataColumn& column : table.columns)
    if (column.look) columns.push_back(text_column(column, *column.look, std::min(table.rows, most)));
  return columns;
}

std::string view_text(const DataTable& table, std::span<const ShownColumn> view, const Terminal& terminal,
                      std::size_t most) {
  if (table.rows == 0) return {};
  std::vector<TextColumn> columns;
  for (const ShownColumn& shown : view)
    columns.push_back(text_column(table.column(shown.column), shown.look, std::min(table.rows, most)));
  return table_with_note(columns, terminal, 2);
}

}  // namespace dfsweep
