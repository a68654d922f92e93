/// Rows of executions, as tables of the Calculon tool hold them, as a point list of the estimator `training`.
#include "engine/foreign/calculon_files.hpp"

#include <fmt/format.h>

#include <vector>

#include "engine/foreign/calculon_words.hpp"
#include "io/csv.hpp"
#include "io/csv_writer.hpp"

namespace dfsweep::foreign {

namespace {

constexpr std::size_t max_problems = 100;
constexpr std::string_view entry_columns[] = {"model", "system"};

/// Column index of each input in a table.
struct Columns {
  std::vector<std::size_t> names;
  std::vector<std::size_t> inputs;
};

std::size_t column_named(const CsvReader& reader, std::string_view name, std::vector<Problem>& problems) {
  for (std::size_t c = 0; c < reader.header().size(); ++c)
    if (reader.header()[c].text == name) return c;
  problems.push_back({{reader.file(), reader.header_line(), 0},
                      fmt::format("column '{}' is missing", name),
                      "rows of executions need it",
                      ""});
  return 0;
}

Columns columns_of(const CsvReader& reader) {
  Columns columns;
  std::vector<Problem> problems;
  for (const std::string_view name : entry_columns) columns.names.push_back(column_named(reader, name, problems));
  for (const ExecutionInput& input : execution_inputs())
    columns.inputs.push_back(column_named(reader, input.theirs, problems));
  if (!problems.empty()) throw UserError(std::move(problems));
  return columns;
}

std::string_view needed(InputKind kind) {
  return kind == InputKind::whole ? "a whole number is needed" : "0 or 1 is needed";
}

}  // namespace

PointList points_of_rows(std::string table, const std::string& shown) {
  CsvReader reader(std::move(table), shown);
  const Columns columns = columns_of(reader);
  CsvWriter csv;
  for (const std::string_view name : entry_columns) csv.cell(name);
  for (const ExecutionInput& input : execution_inputs()) csv.cell(input.ours);
  csv.end_line();
  PointList list;
  std::vector<Problem> problems;
  for (auto cells = reader.next(); !cells.empty() && problems.size() < max_problems; cells = reader.next()) {
    for (const std::size_t column : columns.names) csv.cell(entry_name(cells[column].text));
    for (std::size_t i = 0; i < columns.inputs.size(); ++i) {
      const ExecutionInput& input = execution_inputs()[i];
      const CsvCell& cell = cells[columns.inputs[i]];
      const std::optional<std::string> value = our_value(input.kind, cell.text);
      if (!value)
        problems.push_back({{shown, reader.line(), cell.column},
                            fmt::format("'{}' is not a value of {}", cell.text, input.theirs),
                            std::string(needed(input.kind)),
                            ""});
      csv.cell(value.value_or(""));
    }
    csv.end_line();
    ++list.points;
  }
  problems.insert(problems.end(), reader.problems().begin(), reader.problems().end());
  if (!problems.empty()) throw UserError(std::move(problems));
  list.text = csv.text();
  return list;
}

}  // namespace dfsweep::foreign
