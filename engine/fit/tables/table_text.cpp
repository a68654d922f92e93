/// Tables of a fit as text.
#include <fmt/format.h>

#include <algorithm>

#include "engine/fit/tables/table_rendering.hpp"

namespace dfsweep::fit {

namespace {

struct ToText {
  const ShownColumn& shown;
  std::string operator()(std::monostate) const { return shown.empty; }
  std::string operator()(double value) const { return shown.number(value); }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(bool value) const { return value ? "yes" : "no"; }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const hyperparameters::Interval& value) const {
    return fmt::format("{} .. {}", shown.number(value.low), shown.number(value.high));
  }
};

}  // namespace

NumberText significant(int digits) {
  return [digits](double value) { return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "-"; };
}

NumberText decimals(int digits) {
  return [digits](double value) { return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "-"; };
}

std::string view_text(const FitTable& table, std::span<const ShownColumn> view, const Terminal& terminal,
                      std::size_t most) {
  if (table.rows == 0) return {};
  std::vector<TextColumn> columns;
  for (const ShownColumn& shown : view) {
    const FitColumn& column = table.column(shown.column);
    TextColumn made;
    made.heading = shown.heading;
    made.align = column.kind == ColumnKind::number ? Align::right : Align::left;
    made.weight = shown.weight;
    for (std::size_t row = 0; row < std::min(table.rows, most); ++row)
      made.cells.push_back(std::visit(ToText{shown}, column.cells[row]));
    columns.push_back(std::move(made));
  }
  return table_with_note(columns, terminal, 2);
}

}  // namespace dfsweep::fit
