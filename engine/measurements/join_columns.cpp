#include "engine/measurements/join_columns.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "engine/measurements/row_text.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/results/scan.hpp"
#include "io/diagnostic.hpp"
#include "io/quantity.hpp"
#include "io/suggestion.hpp"
#include "models/absent.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {

namespace {

std::optional<double> number_of(std::string_view text) {
  const auto read = parse_quantity(text);
  if (const auto* quantity = std::get_if<QuantityText>(&read)) return quantity->value;
  return std::nullopt;
}

[[noreturn]] void refuse(const DatasetReader& file, const CsvReader& csv, const JoinColumns& columns) {
  std::vector<std::string> metrics;
  for (const DatasetColumn* metric : metric_columns(file)) metrics.push_back(metric->name);
  std::vector<Problem> problems;
  const SourcePosition at{csv.file(), csv.header_line(), 0};
  std::vector<std::string> known = metrics;
  for (const DatasetColumn* axis : axis_columns(file)) known.push_back(axis->name);
  const std::vector<ColumnPair> lookalikes = lookalike_columns(csv.header(), known);
  const std::string mapping = lookalikes.empty()
                                  ? std::string()
                                  : "Some column names resemble those of the result: " + columns_option(lookalikes);
  if (columns.metrics.empty())
    problems.push_back({at, "no column is named like a metric", "nothing would be compared",
                        mapping.empty() ? "Metrics of the result: " + listed(metrics) + "." : mapping});
  if (columns.keys.empty())
    problems.push_back(
        {at, "no column is named like a parameter", "rows of the result could not be selected", mapping});
  throw UserError(std::move(problems));
}

void check_group(const CsvReader& csv, const std::string& group) {
  std::vector<std::string> names;
  for (const CsvCell& cell : csv.header()) names.emplace_back(cell.text);
  if (std::find(names.begin(), names.end(), group) != names.end()) return;
  throw UserError({{{csv.file(), csv.header_line(), 0},
                    "no column is called '" + group + "'",
                    "rows were to be grouped by it",
                    did_you_mean(group, names, "Columns: " + listed(names) + ".")}});
}

}  // namespace

JoinColumns join_columns(const DatasetReader& file, const CsvReader& csv, const std::string& group) {
  if (!group.empty()) check_group(csv, group);
  JoinColumns columns;
  const std::vector<const DatasetColumn*> axes = axis_columns(file);
  for (std::size_t cell = 0; cell < csv.header().size(); ++cell) {
    const std::string name(csv.header()[cell].text);
    const bool groups = group.empty() ? (name == "group" || name == "source") : name == group;
    if (groups && !columns.group_cell) columns.group_cell = cell;
    const DatasetColumn* column = file.column(name);
    const auto fixed = place_of_name(file.fixed(), name);
    if (column != nullptr && std::find(axes.begin(), axes.end(), column) != axes.end())
      columns.keys.push_back({column, nullptr, value_names(file, *column), cell});
    else if (fixed)
      columns.keys.push_back({nullptr, &file.fixed()[*fixed], {}, cell});
    else if (column != nullptr && is_metric(file, *column))
      columns.metrics.push_back({column, cell});
    else if (name == "name" || name == "id")
      columns.name_cell = cell;
    else if (!groups)
      columns.ignored.push_back(name);
  }
  if (columns.metrics.empty() || columns.keys.empty()) refuse(file, csv, columns);
  return columns;
}

std::optional<double> stored_value(const KeyColumn& key, std::string_view text) {
  if (text.empty()) return absent;
  if (key.names.empty()) return number_of(text);
  const auto found = std::find(key.names.begin(), key.names.end(), text);
  if (found == key.names.end()) return std::nullopt;
  return static_cast<double>(found - key.names.begin());
}

bool is_fixed_value(const KeyColumn& key, std::string_view text) {
  const FixedValue& fixed = *key.fixed;
  if (const auto* name = std::get_if<std::string>(&fixed.value)) return *name == text;
  const auto* whole = std::get_if<std::int64_t>(&fixed.value);
  const double value = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(fixed.value);
  return number_of(text) == value;
}

}  // namespace dfsweep
