#include "engine/calibration/measured_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/foreign/load_generator.hpp"
#include "engine/measurements/measured_value.hpp"
#include "io/checksum.hpp"
#include "io/csv.hpp"
#include "io/text_file.hpp"
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

/// Throws UserError where the file is a result of a load generator, IoError.
std::string text_of_table(const std::filesystem::path& path) {
  std::string text = read_text_file(path, path.string(), max_table_bytes);
  if (!foreign::is_generator_file(text)) return text;
  throw UserError({{.at = {path.string(), 1, 1},
                    .problem = "the result of a load generator",
                    .reason = "a table of rows is needed",
                    .hint = fmt::format("dfsweep import measured {} -o points.csv --set model=NAME --set system=NAME "
                                        "writes one, points.measured.csv",
                                        path.string())}});
}

void take_row(std::span<const CsvCell> cells, const std::vector<Column>& columns, const Estimator& estimator,
              const CsvReader& reader, MeasuredTable& table, Problems& problems) {
  bool is_measured = false;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (columns[c].role == Role::label) table.labels[columns[c].index].cells.emplace_back(cells[c].text);
    if (columns[c].role != Role::metric) continue;
    MeasuredColumn& column = table.measured[columns[c].index];
    double value = absent;
    if (!cells[c].text.empty()) {
      is_measured = true;
      const MetricInfo& info = estimator.metrics()[column.metric];
      value =
          measured_value(cells[c], {info.name, info.unit}, {reader.file(), reader.line(), cells[c].column}, problems)
              .value_or(absent);
    }
    column.values.push_back(value);
  }
  table.lines.push_back(reader.line());
  if (!is_measured && !table.measured.empty())
    problems.add({reader.file(), reader.line(), table.measured.front().column}, "the row has no measurement",
                 "its cells of measured metrics are empty");
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

const Estimator& estimator_of_table(const std::filesystem::path& path, std::span<const Estimator* const> estimators) {
  const CsvReader reader(text_of_table(path), path.string());
  const auto metrics_in_table = [&](const Estimator* estimator) {
    return std::count_if(reader.header().begin(), reader.header().end(), [&](const CsvCell& cell) {
      return place_of_name(estimator->metrics(), cell.text).has_value();
    });
  };
  return **std::max_element(estimators.begin(), estimators.end(), [&](const Estimator* a, const Estimator* b) {
    return metrics_in_table(a) < metrics_in_table(b);
  });
}

MeasuredTable read_measured_table(const std::filesystem::path& path, const Estimator& estimator) {
  constexpr std::size_t max_problems = 100;
  MeasuredTable table;
  table.path = path;
  std::string text = text_of_table(path);
  table.checksum = xxh3_128_hex(std::as_bytes(std::span(text)));
  Problems problems;
  CsvReader reader(std::move(text), path.string());
  const std::vector<Column> columns = columns_of_table(reader, estimator, table);
  if (table.measured.empty())
    problems.add({path.string(), reader.header_line(), 1}, "the table has no measured column",
                 fmt::format("no column is named like a metric of '{}'", estimator.name()),
                 "Name one, for example step_time or token_rate; 'dfsweep describe' lists them");
  for (auto cells = reader.next(); !cells.empty() && problems.count() < max_problems; cells = reader.next())
    take_row(cells, columns, estimator, reader, table, problems);
  problems.add(reader.problems());
  if (table.rows() == 0 && problems.count() == 0) problems.add({path.string(), reader.header_line(), 1}, "no rows");
  problems.raise();
  return table;
}

}  // namespace dfsweep
