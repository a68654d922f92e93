#include "engine/calibration/measured_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/foreign/load_generator.hpp"
#include "engine/measurements/measured_value.hpp"
#include "engine/measurements/missing_cells.hpp"
#include "io/csv.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {

namespace {

enum class Role : std::uint8_t { parameter, metric, label };

struct Column {
  Role role = Role::label;
  std::size_t index = 0;  ///< index of the metric, or into MeasuredTable::labels
};

std::vector<Column> columns_of_table(const CsvReader& reader, const Estimator& estimator, MeasuredTable& table) {
  std::vector<Column> columns;
  for (const CsvCell& cell : reader.header()) {
    if (place_of_name(estimator.parameters(), cell.text)) {
      columns.push_back({Role::parameter, 0});
    } else if (const auto metric = place_of_name(estimator.metrics(), cell.text)) {
      columns.push_back({Role::metric, table.measured.size()});
      table.measured.push_back({*metric, {}, cell.column});
    } else {
      columns.push_back({Role::label, table.labels.size()});
      table.labels.push_back({std::string(cell.text), {}});
    }
  }
  return columns;
}

/// Throws UserError where the text is a result of a load generator.
void refuse_generator_file(const RowText& rows) {
  if (!foreign::is_generator_file(rows.text)) return;
  throw UserError({{.at = {rows.shown, 1, 1},
                    .problem = "the result of a load generator",
                    .reason = "a table of rows is needed",
                    .hint = fmt::format("dfsweep import measured {} -o points.csv --set model=NAME --set system=NAME "
                                        "writes one, points.measured.csv",
                                        rows.shown)}});
}

std::vector<std::string> known_names(const Estimator& estimator) {
  std::vector<std::string> names;
  for (const ParameterInfo& info : estimator.parameters()) names.emplace_back(info.name);
  for (const MetricInfo& info : estimator.metrics()) names.emplace_back(info.name);
  return names;
}

/// The option that maps columns whose names resemble parameters or metrics, or where to find names.
std::string unmeasured_hint(const std::vector<ColumnPair>& lookalikes) {
  if (lookalikes.empty()) return "Name one, for example step_time or token_rate; 'dfsweep describe' lists them";
  return fmt::format("Some column names resemble those of dfsweep: {}", columns_option(lookalikes));
}

/// Appends the values of a row; values that were not obtained are absent.
void take_row(std::span<const CsvCell> cells, const std::vector<Column>& columns, const Estimator& estimator,
              const CsvReader& reader, MeasuredTable& table, Problems& problems) {
  std::vector<double> values;
  std::vector<std::string_view> words;
  bool is_measured = false;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (columns[c].role != Role::metric) continue;
    values.push_back(absent);
    if (cells[c].text.empty()) continue;
    if (missing_cell(cells[c].text)) {
      words.push_back(cells[c].text);
      continue;
    }
    is_measured = true;
    const MetricInfo& info = estimator.metrics()[table.measured[columns[c].index].metric];
    values.back() =
        measured_value(cells[c], {info.name, info.unit}, {reader.file(), reader.line(), cells[c].column}, problems)
            .value_or(absent);
  }
  for (const std::string_view word : words) count_missing(table.missing, word, reader.line());
  if (!is_measured && !words.empty()) {
    table.left_out.push_back(reader.line());
    return;
  }
  if (!is_measured && !values.empty())
    problems.add({reader.file(), reader.line(), table.measured.front().column}, "the row has no measurement",
                 "its cells of measured metrics are empty");
  for (std::size_t m = 0; m < values.size(); ++m) table.measured[m].values.push_back(values[m]);
  for (std::size_t c = 0; c < cells.size(); ++c)
    if (columns[c].role == Role::label) table.labels[columns[c].index].cells.emplace_back(cells[c].text);
  table.lines.push_back(reader.line());
}

}  // namespace

const LabelColumn* MeasuredTable::label(std::string_view name) const {
  const auto place = place_of_name(labels, name);
  return place ? &labels[*place] : nullptr;
}

std::vector<std::string> MeasuredTable::other_columns(const Estimator& estimator) const {
  std::vector<std::string> names;
  for (const MeasuredColumn& column : measured) names.emplace_back(estimator.metrics()[column.metric].name);
  for (const LabelColumn& column : labels) names.push_back(column.name);
  return names;
}

const Estimator& estimator_of_table(const RowText& rows, std::span<const Estimator* const> estimators) {
  refuse_generator_file(rows);
  const CsvReader reader(rows.text, rows.shown, rows.first_line);
  const auto metrics_in_table = [&](const Estimator* estimator) {
    return std::count_if(reader.header().begin(), reader.header().end(), [&](const CsvCell& cell) {
      return place_of_name(estimator->metrics(), cell.text).has_value();
    });
  };
  return **std::max_element(estimators.begin(), estimators.end(), [&](const Estimator* a, const Estimator* b) {
    return metrics_in_table(a) < metrics_in_table(b);
  });
}

MeasuredTable read_measured_table(const RowText& rows, const Estimator& estimator) {
  constexpr std::size_t max_problems = 100;
  refuse_generator_file(rows);
  MeasuredTable table;
  table.path = rows.shown;
  table.checksum = rows.checksum;
  Problems problems;
  CsvReader reader(rows.text, rows.shown, rows.first_line);
  const std::vector<Column> columns = columns_of_table(reader, estimator, table);
  table.lookalike_columns = lookalike_columns(reader.header(), known_names(estimator));
  if (table.measured.empty())
    problems.add({rows.shown, reader.header_line(), 1}, "the table has no measured column",
                 fmt::format("no column is named like a metric of '{}'", estimator.name()),
                 unmeasured_hint(table.lookalike_columns));
  for (auto cells = reader.next(); !cells.empty() && problems.count() < max_problems; cells = reader.next())
    take_row(cells, columns, estimator, reader, table, problems);
  problems.add(reader.problems());
  if (table.rows() == 0 && problems.count() == 0)
    problems.add({rows.shown, reader.header_line(), 1},
                 table.left_out.empty() ? "no rows" : "no row has a measurement");
  problems.raise();
  return table;
}

}  // namespace dfsweep
