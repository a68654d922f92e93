/// Hash join: the key of a measured row is its values on the axes that the file names; one scan of the result finds the
/// rows with these keys.
#include "engine/measurements/joined_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <unordered_map>
#include <utility>

#include "engine/measurements/join_columns.hpp"
#include "engine/measurements/measured_value.hpp"
#include "engine/measurements/missing_cells.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/results/scan.hpp"
#include "io/csv.hpp"
#include "io/terminal.hpp"
#include "models/absent.hpp"

namespace dfsweep {

namespace {

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

/// Location of a measured number: the metric, and the row of that metric.
struct Place {
  std::size_t metric = 0;
  std::size_t row = 0;
};

/// Rows of the result with the same key.
struct Found {
  std::uint64_t rows = 0;
  std::uint64_t ok = 0;
  std::uint64_t first_ok = 0;               ///< row of the result
  double status = 0.0;                      ///< status of a row that is not ok
  std::vector<double> predicted;            ///< [metric] value of the first ok row
  std::vector<std::uint8_t> are_different;  ///< [metric] 1 if ok rows have different values
  std::vector<Place> measured;
};

class Joining {
 public:
  Joining(const DatasetReader& file, const RowText& rows, const std::string& group)
      : file_(&file), csv_(rows.text, rows.shown, rows.first_line), columns_(join_columns(file, csv_, group)) {
    all_.ignored = columns_.ignored;
    for (const JoinedMetric& column : columns_.metrics)
      all_.metrics.push_back({column.metric->name, column.metric->units});
  }

  MeasuredRows join() {
    for (auto cells = csv_.next(); !cells.empty(); cells = csv_.next()) read_row(cells);
    problems_.add(csv_.problems());
    const bool is_empty = std::all_of(all_.metrics.begin(), all_.metrics.end(),
                                      [](const MeasuredMetric& metric) { return metric.rows.empty(); });
    if (is_empty && problems_.count() == 0)
      problems_.add({csv_.file(), csv_.header_line(), 0}, "no row has a measurement", "nothing would be compared");
    problems_.raise();
    scan();
    for (const auto& [key, found] : keys_)
      for (const Place& place : found.measured) conclude(place, found);
    return std::move(all_);
  }

 private:
  void read_row(std::span<const CsvCell> cells) {
    JoinedRow row{.line = csv_.line(), .name = fmt::format("line {}", csv_.line()), .group = {}, .problem = {}};
    row.predicted = absent;
    if (columns_.name_cell) row.name = cells[*columns_.name_cell].text;
    if (columns_.group_cell) row.group = cells[*columns_.group_cell].text;
    Key key = key_of(cells, row);
    std::vector<Place> measured;
    for (std::size_t m = 0; m < columns_.metrics.size(); ++m) {
      const auto& [metric, cell] = columns_.metrics[m];
      if (cells[cell].text.empty()) continue;  // not measured
      if (missing_cell(cells[cell].text)) {
        count_missing(all_.missing, cells[cell].text, csv_.line());
        continue;
      }
      const auto value = measured_value(cells[cell], {metric->name, metric->units},
                                        {csv_.file(), csv_.line(), cells[cell].column}, problems_);
      if (!value) continue;
      row.measured = *value;
      measured.push_back({m, all_.metrics[m].rows.size()});
      all_.metrics[m].rows.push_back(row);
    }
    if (!row.problem.empty() || measured.empty()) return;
    Found& found = keys_[std::move(key)];
    found.measured.insert(found.measured.end(), measured.begin(), measured.end());
  }

  /// Sets `problem` of the row if a value does not occur in the result.
  Key key_of(std::span<const CsvCell> cells, JoinedRow& row) {
    Key key;
    for (const KeyColumn& column : columns_.keys) {
      const std::string_view text = cells[column.cell].text;
      if (column.fixed != nullptr) {
        if (!text.empty() && !is_fixed_value(column, text))
          row.problem = fmt::format("{} = {} is not in the result", column.fixed->name, printable(text));
        continue;
      }
      const std::optional<double> value = stored_value(column, text);
      if (!value) row.problem = fmt::format("{} = {} is not in the result", column.axis->name, printable(text));
      key.push_back(value.value_or(absent));
    }
    return key;
  }

  void scan() {
    std::vector<const DatasetColumn*> columns = {file_->column("status")};
    for (const JoinedMetric& column : columns_.metrics) columns.push_back(column.metric);
    const std::size_t first_key = columns.size();
    for (const KeyColumn& column : columns_.keys)
      if (column.axis != nullptr) columns.push_back(column.axis);
    Key key(columns.size() - first_key);
    scan_rows(*file_, columns, {}, [&](const RowChunk& chunk) {
      for (std::size_t i = 0; i < chunk.kept.size(); ++i) {
        for (std::size_t k = 0; k < key.size(); ++k) {
          const double value = chunk.values[first_key + k][i];
          key[k] = columns[first_key + k]->is_categorical() && value < 0.0 ? absent : value;
        }
        const auto found = keys_.find(key);
        if (found != keys_.end()) note(found->second, chunk, i);
      }
    });
  }

  void note(Found& found, const RowChunk& chunk, std::size_t i) const {
    const double status = chunk.values[0][i];
    ++found.rows;
    if (status != 0.0) {
      found.status = status;
      return;
    }
    const std::size_t count = columns_.metrics.size();
    if (found.ok++ == 0) {
      found.are_different.assign(count, 0);
      found.first_ok = chunk.first_row + i;
      for (std::size_t m = 0; m < count; ++m) found.predicted.push_back(chunk.values[1 + m][i]);
      return;
    }
    for (std::size_t m = 0; m < count; ++m) {
      const double value = chunk.values[1 + m][i];
      const bool is_same = value == found.predicted[m] || (!is_given(value) && !is_given(found.predicted[m]));
      if (!is_same) found.are_different[m] = 1;
    }
  }

  void conclude(const Place& place, const Found& found) {
    MeasuredMetric& metric = all_.metrics[place.metric];
    JoinedRow& row = metric.rows[place.row];
    if (found.rows == 0)
      row.problem = "the result has no such row";
    else if (found.ok == 0)
      row.problem = "the result has no value: " + status_of(found.status);
    else if (found.are_different[place.metric] != 0)
      row.problem = fmt::format("{} rows of the result have these parameters", found.ok);
    else if (!is_given(found.predicted[place.metric]))
      row.problem = metric.metric + " does not apply";
    else
      row.predicted = found.predicted[place.metric];
    row.result_row = found.first_ok;
  }

  [[nodiscard]] std::string status_of(double code) const {
    const std::vector<std::string> names = value_names(*file_, *file_->column("status"));
    return code < static_cast<double>(names.size()) ? names[static_cast<std::size_t>(code)] : "unknown status";
  }

  const DatasetReader* file_;
  MeasuredRows all_;
  CsvReader csv_;
  JoinColumns columns_;
  Problems problems_;
  std::unordered_map<Key, Found, KeyHash, SameKey> keys_;
};

}  // namespace

std::size_t MeasuredMetric::joined() const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const JoinedRow& row) { return row.problem.empty(); }));
}

MeasuredRows join_measured(const DatasetReader& file, const RowText& rows, const std::string& group) {
  return Joining(file, rows, group).join();
}

}  // namespace dfsweep
