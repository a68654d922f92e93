/// Renders explanations: titles, aligned facts, tables, sections.
#include "engine/rendering/explanation_text.hpp"

#include <algorithm>

#include "io/number_format.hpp"

namespace dfsweep {
namespace {

constexpr std::size_t narrowest_text = 24;

using Cell = std::variant<double, std::string>;

std::string cell_text(const Cell& cell, const std::string& unit) {
  if (const auto* text = std::get_if<std::string>(&cell)) return printable(*text);
  return with_unit(std::get<double>(cell), unit);
}

Json cell_json(const Cell& cell) {
  return std::visit([](const auto& value) { return Json(value); }, cell);
}

std::string facts_text(const std::vector<Fact>& facts, std::size_t indent) {
  std::size_t width = 0;
  for (const Fact& fact : facts) width = std::max(width, shown_width(printable(fact.label)));
  std::string text;
  for (const Fact& fact : facts) {
    const std::string label = printable(fact.label);
    text += std::string(indent, ' ') + label + std::string(width - shown_width(label) + 2, ' ');
    text += cell_text(fact.value, fact.unit) + '\n';
  }
  return text;
}

/// Numbers of a column share a prefix, unless the column contains a text.
TextColumn table_column(const ExplanationTable& table, std::size_t c) {
  TextColumn column{.heading = printable(table.headings[c]), .unit = {}, .align = Align::right, .cells = {}};
  const std::string unit = c < table.units.size() ? table.units[c] : std::string();
  const bool all_numbers = std::all_of(table.rows.begin(), table.rows.end(),
                                       [c](const auto& row) { return std::holds_alternative<double>(row[c]); });
  if (all_numbers) {
    std::vector<double> values;
    for (const auto& row : table.rows) values.push_back(std::get<double>(row[c]));
    NumberColumn numbers = format_column(values, unit);
    column.unit = std::move(numbers.unit);
    column.cells = std::move(numbers.cells);
    return column;
  }
  column.align = Align::left;
  column.narrowest = narrowest_text;
  for (const auto& row : table.rows) column.cells.push_back(cell_text(row[c], unit));
  return column;
}

std::string table_text(const ExplanationTable& table, const Terminal& terminal, std::size_t indent) {
  std::vector<TextColumn> columns;
  for (std::size_t c = 0; c < table.headings.size(); ++c) columns.push_back(table_column(table, c));
  return table_with_note(columns, terminal, indent);
}

std::string section_text(const Explanation& explanation, const Terminal& terminal, std::size_t depth) {
  constexpr std::size_t step = 2;
  const std::size_t indent = depth * step;
  std::string text = std::string(indent, ' ') + toned(terminal, Tone::bold, printable(explanation.title)) + '\n';
  text += facts_text(explanation.facts, indent + step);
  if (!explanation.table.headings.empty()) text += table_text(explanation.table, terminal, indent + step);
  for (const Explanation& section : explanation.sections) text += '\n' + section_text(section, terminal, depth + 1);
  return text;
}

Json table_json(const ExplanationTable& table) {
  JsonArray headings(table.headings.begin(), table.headings.end());
  JsonArray units(table.units.begin(), table.units.end());
  JsonArray rows;
  for (const auto& row : table.rows) {
    JsonArray cells;
    for (const Cell& cell : row) cells.push_back(cell_json(cell));
    rows.emplace_back(std::move(cells));
  }
  return JsonObject{{"headings", std::move(headings)}, {"units", std::move(units)}, {"rows", std::move(rows)}};
}

}  // namespace

std::string explanation_text(const Explanation& explanation, const Terminal& terminal) {
  return section_text(explanation, terminal, 0);
}

Json explanation_json(const Explanation& explanation) {
  JsonObject json{{"title", explanation.title}};
  JsonArray facts;
  for (const Fact& fact : explanation.facts)
    facts.push_back(JsonObject{{"label", fact.label}, {"value", cell_json(fact.value)}, {"unit", fact.unit}});
  if (!facts.empty()) json.emplace_back("facts", std::move(facts));
  if (!explanation.table.headings.empty()) json.emplace_back("table", table_json(explanation.table));
  JsonArray sections;
  for (const Explanation& section : explanation.sections) sections.push_back(explanation_json(section));
  if (!sections.empty()) json.emplace_back("sections", std::move(sections));
  return json;
}

}  // namespace dfsweep
