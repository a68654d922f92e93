/// Joining: every row of the file is a key of values on the axes that the file names; one scan of the result finds the
/// rows with these keys.
#include "engine/report/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "engine/results/result_rows.hpp"
#include "engine/results/scan.hpp"
#include "io/csv.hpp"
#include "io/number_format.hpp"
#include "io/quantity.hpp"
#include "io/suggestion.hpp"
#include "io/terminal.hpp"
#include "models/absent.hpp"

namespace dfsweep::report {

namespace {

/// A column of the file that says which rows are meant.
struct JoinColumn {
  const DatasetColumn* axis = nullptr;  ///< null: a fixed parameter
  const FixedValue* fixed = nullptr;
  std::vector<std::string> names;  ///< of the axis by stored value
  std::size_t cell = 0;            ///< place in a line
};

struct Layout {
  std::vector<JoinColumn> keys;
  const DatasetColumn* metric = nullptr;
  std::size_t metric_cell = 0;
  std::optional<std::size_t> name_cell;
  std::optional<std::size_t> group_cell;
};

std::optional<double> number_of(std::string_view text) {
  const auto read = parse_quantity(text);
  if (const auto* quantity = std::get_if<QuantityText>(&read)) return quantity->value;
  return std::nullopt;
}

const FixedValue* fixed_named(const DatasetReader& file, std::string_view name) {
  for (const FixedValue& fixed : file.fixed())
    if (fixed.name == name) return &fixed;
  return nullptr;
}

Layout layout_of(const DatasetReader& file, const CsvReader& csv, std::vector<std::string>& ignored) {
  Layout layout;
  const std::vector<const DatasetColumn*> axes = axis_columns(file);
  for (std::size_t cell = 0; cell < csv.header().size(); ++cell) {
    const std::string name(csv.header()[cell].text);
    const DatasetColumn* column = file.column(name);
    const FixedValue* fixed = fixed_named(file, name);
    if (column != nullptr && std::find(axes.begin(), axes.end(), column) != axes.end())
      layout.keys.push_back({column, nullptr, value_names(file, *column), cell});
    else if (fixed != nullptr)
      layout.keys.push_back({nullptr, fixed, {}, cell});
    else if (column != nullptr && is_metric(file, *column) && layout.metric == nullptr) {
      layout.metric = column;
      layout.metric_cell = cell;
    } else if (name == "name" || name == "id")
      layout.name_cell = cell;
    else if (name == "group" || name == "source")
      layout.group_cell = cell;
    else
      ignored.push_back(name);
  }
  if (layout.metric != nullptr && !layout.keys.empty()) return layout;
  std::vector<std::string> metrics;
  for (const DatasetColumn* metric : metric_columns(file)) metrics.push_back(metric->name);
  throw UserError(
      {{{csv.file(), csv.header_line(), 0},
        layout.metric == nullptr ? "no column is named like a metric" : "no column is named like a parameter",
        layout.metric == nullptr ? "nothing would be compared" : "no row of the result would be meant",
        layout.metric == nullptr ? "Metrics are " + listed(metrics) + "." : ""}});
}

/// The stored value that a cell means; nothing where the axis has no such value. An empty cell means "no value".
std::optional<double> stored_value(const JoinColumn& key, std::string_view text) {
  if (text.empty()) return absent;
  if (key.names.empty()) return number_of(text);
  const auto found = std::find(key.names.begin(), key.names.end(), text);
  if (found == key.names.end()) return std::nullopt;
  return static_cast<double>(found - key.names.begin());
}

bool is_fixed_value(const FixedValue& fixed, std::string_view text) {
  if (const auto* name = std::get_if<std::string>(&fixed.value)) return *name == text;
  const auto* whole = std::get_if<std::int64_t>(&fixed.value);
  const double value = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(fixed.value);
  return number_of(text) == value;
}

using Key = std::vector<double>;

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t hash = 0;
    for (const double value : key)
      hash = (std::rotl(hash, 23) ^ std::bit_cast<std::uint64_t>(is_given(value) ? value + 0.0 : absent)) *
             0x9E3779B97F4A7C15U;
    return hash;
  }
};
struct SameKey {
  bool operator()(const Key& a, const Key& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return x == y || (!is_given(x) && !is_given(y)); });
  }
};

/// What the result says about a key.
struct Found {
  std::uint64_t rows = 0;
  std::uint64_t ok = 0;
  double status = 0.0;  ///< of a row that is not ok
  double predicted = absent;
  bool are_different = false;         ///< ok rows have different values
  std::vector<std::size_t> measured;  ///< rows of the file
};

class Joining {
 public:
  Joining(const DatasetReader& file, std::string text, const std::string& shown)
      : file_(&file), csv_(std::move(text), shown), layout_(layout_of(file, csv_, all_.ignored)) {
    all_.metric = layout_.metric;
  }

  MeasuredRows join() {
    read_rows();
    if (!csv_.problems().empty() || !problems_.empty()) {
      problems_.insert(problems_.end(), csv_.problems().begin(), csv_.problems().end());
      throw UserError(std::move(problems_));
    }
    scan();
    for (const auto& [key, found] : keys_)
      for (const std::size_t row : found.measured) conclude(all_.rows[row], found);
    return std::move(all_);
  }

 private:
  void read_rows() {
    for (auto cells = csv_.next(); !cells.empty(); cells = csv_.next()) {
      MeasuredRow row{.line = csv_.line(), .name = fmt::format("line {}", csv_.line()), .group = {}, .problem = {}};
      const CsvCell& value = cells[layout_.metric_cell];
      if (value.text.empty()) continue;  // not measured
      const std::optional<double> measured = number_of(value.text);
      if (!measured) {
        problems_.push_back({{csv_.file(), csv_.line(), value.column},
                             fmt::format("'{}' is not a number", printable(value.text)),
                             "column " + layout_.metric->name,
                             "Write a number, or a number with its unit."});
        continue;
      }
      row.measured = *measured;
      row.predicted = absent;
      if (layout_.name_cell) row.name = cells[*layout_.name_cell].text;
      if (layout_.group_cell) row.group = cells[*layout_.group_cell].text;
      add(std::move(row), cells);
    }
  }

  void add(MeasuredRow row, std::span<const CsvCell> cells) {
    Key key;
    for (const JoinColumn& column : layout_.keys) {
      const std::string_view text = cells[column.cell].text;
      if (column.fixed != nullptr) {
        if (!text.empty() && !is_fixed_value(*column.fixed, text))
          row.problem = fmt::format("{} = {} is not in the result", column.fixed->name, printable(text));
        continue;
      }
      const std::optional<double> value = stored_value(column, text);
      if (!value) row.problem = fmt::format("{} = {} is not in the result", column.axis->name, printable(text));
      key.push_back(value.value_or(absent));
    }
    if (row.problem.empty()) keys_[std::move(key)].measured.push_back(all_.rows.size());
    all_.rows.push_back(std::move(row));
  }

  void scan() {
    std::vector<const DatasetColumn*> columns = {file_->column("status"), layout_.metric};
    for (const JoinColumn& column : layout_.keys)
      if (column.axis != nullptr) columns.push_back(column.axis);
    Key key(columns.size() - 2);
    scan_rows(*file_, columns, {}, [&](const RowChunk& chunk) {
      for (std::size_t i = 0; i < chunk.kept.size(); ++i) {
        for (std::size_t k = 0; k < key.size(); ++k) {
          const double value = chunk.values[k + 2][i];
          key[k] = columns[k + 2]->is_categorical() && value < 0.0 ? absent : value;
        }
        const auto found = keys_.find(key);
        if (found != keys_.end()) note(found->second, chunk.values[0][i], chunk.values[1][i]);
      }
    });
  }

  static void note(Found& found, double status, double value) {
    ++found.rows;
    if (status != 0.0) {
      found.status = status;
      return;
    }
    found.are_different = found.are_different || (found.ok != 0 && found.predicted != value);
    ++found.ok;
    found.predicted = value;
  }

  void conclude(MeasuredRow& row, const Found& found) const {
    if (found.rows == 0)
      row.problem = "the result has no such row";
    else if (found.are_different)
      row.problem = fmt::format("{} rows of the result have these parameters", found.ok);
    else if (found.ok == 0)
      row.problem = "the result has no value: " + status_of(found.status);
    else if (!is_given(found.predicted))
      row.problem = layout_.metric->name + " does not apply";
    else
      row.predicted = found.predicted;
  }
  [[nodiscard]] std::string status_of(double code) const {
    const std::vector<std::string> names = value_names(*file_, *file_->column("status"));
    return code < static_cast<double>(names.size()) ? names[static_cast<std::size_t>(code)] : "unknown status";
  }

  const DatasetReader* file_;
  MeasuredRows all_;
  CsvReader csv_;
  Layout layout_;
  std::vector<Problem> problems_;
  std::unordered_map<Key, Found, KeyHash, SameKey> keys_;
};

}  // namespace

std::size_t MeasuredRows::joined() const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const MeasuredRow& row) { return row.problem.empty(); }));
}

double MeasuredRows::error_at(double share) const {
  std::vector<double> errors;
  for (const MeasuredRow& row : rows)
    if (row.problem.empty() && row.measured != 0.0) errors.push_back(std::abs(row.predicted / row.measured - 1.0));
  if (errors.empty()) return absent;
  std::sort(errors.begin(), errors.end());
  const auto place = static_cast<std::size_t>(std::ceil(share * static_cast<double>(errors.size())));
  return errors[std::max<std::size_t>(place, 1) - 1];
}

MeasuredRows join_measured(const DatasetReader& file, std::string text, const std::string& shown) {
  return Joining(file, std::move(text), shown).join();
}

Json measured_json(const MeasuredRows& measured) {
  JsonArray rows;
  JsonArray missing;
  for (const MeasuredRow& row : measured.rows) {
    if (row.problem.empty())
      rows.emplace_back(JsonObject{
          {"name", row.name}, {"group", row.group}, {"measured", row.measured}, {"predicted", row.predicted}});
    else
      missing.emplace_back(JsonObject{{"name", row.name}, {"line", row.line}, {"reason", row.problem}});
  }
  return JsonObject{{"metric", measured.metric->name},
                    {"unit", shown_unit(measured.metric->units)},
                    {"rows", std::move(rows)},
                    {"missing", std::move(missing)},
                    {"summary", JsonObject{{"count", measured.joined()},
                                           {"missing", measured.rows.size() - measured.joined()},
                                           {"median", measured.error_at(0.5)},
                                           {"p90", measured.error_at(0.9)}}}};
}

html::Table measured_table(const MeasuredRows& measured) {
  html::Table table{.caption = fmt::format("Measured and predicted {}", printable(measured.metric->name)),
                    .headers = {"row", "group", "measured", "predicted", "predicted / measured"},
                    .rows = {},
                    .numeric = {false, false, true, true, true}};
  const std::string& units = measured.metric->units;
  for (const MeasuredRow& row : measured.rows)
    table.rows.push_back({printable(row.name), printable(row.group), with_unit(row.measured, units),
                          row.problem.empty() ? with_unit(row.predicted, units) : printable(row.problem),
                          row.problem.empty() ? with_unit(row.predicted / row.measured, "1") : "-"});
  return table;
}

std::string measured_summary(const MeasuredRows& measured) {
  constexpr std::size_t most_named = 3;
  std::string text = fmt::format("{} of {} measured rows have a prediction.", measured.joined(), measured.rows.size());
  std::size_t named = 0;
  for (const MeasuredRow& row : measured.rows)
    if (!row.problem.empty() && named++ < most_named)
      text += fmt::format(" {}: {}.", printable(row.name), printable(row.problem));
  if (named > most_named) text += fmt::format(" And {} more.", named - most_named);
  if (!measured.ignored.empty())
    text += fmt::format(" Columns that are not used: {}.", printable(listed(measured.ignored)));
  return text;
}

}  // namespace dfsweep::report
