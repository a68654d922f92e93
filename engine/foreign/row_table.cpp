#include "engine/foreign/row_table.hpp"

#include <algorithm>

#include "io/csv.hpp"
#include "models/machine/system.hpp"

namespace dfsweep::foreign {

namespace {

constexpr std::string_view note_columns[] = {"line", "id", "point", "parameter", "value", "reason"};

/// Columns that are copied to the measured table: of runs by accelerator, and of curves over users.
constexpr std::string_view labels_of_runs[] = {"id", "source", "accelerator"};
constexpr std::string_view labels_of_curves[] = {"id", "source", "curve", "framework_version", "repeat"};

std::span<const std::string_view> labels_for(std::span<const std::string> columns) {
  const bool has_curves = std::find(columns.begin(), columns.end(), "curve") != columns.end();
  return has_curves ? std::span<const std::string_view>(labels_of_curves) : labels_of_runs;
}

}  // namespace

RowTable::RowTable(const Catalogue& catalogue, const std::string& shown, std::span<const std::string> columns)
    : catalogue_(catalogue), shown_(shown), labels_(labels_for(columns)) {
  for (const std::string_view column : note_columns) notes_.cell(column);
  notes_.end_line();
}

std::optional<Architecture> RowTable::model(const std::string& name) const {
  if (name.empty() || !catalogue_.contains("models", name)) return std::nullopt;
  const Entry entry = catalogue_.load("models", name).entry;
  if (entry.text_or("kind", "") != "transformer") return std::nullopt;
  return decode_architecture(entry).value;
}

void RowTable::add(const MeasuredRow& row, std::uint64_t line, const std::vector<PointCell>& cells,
                   const std::vector<PointCell>& measured, const std::vector<Assumption>& assumptions) {
  if (result_.expressed++ == 0) {
    for (const auto& [column, cell] : cells) points_.cell(column);
    points_.end_line();
  }
  for (const auto& [column, cell] : cells) points_.cell(cell);
  points_.end_line();
  add_measured(row, cells, measured);
  ++result_.rows;
  if (assumptions.empty()) note(row, line, result_.expressed, {"", "", "nothing was assumed"});
  for (const Assumption& assumption : assumptions) note(row, line, result_.expressed, assumption);
}

/// Leaves out rows whose figures are inconsistent.
void RowTable::add_measured(const MeasuredRow& row, const std::vector<PointCell>& cells,
                            const std::vector<PointCell>& measured) {
  const auto is_empty = [](const PointCell& cell) { return cell.second.empty(); };
  if (row.text("consistent") == "no" || std::all_of(measured.begin(), measured.end(), is_empty)) return;
  if (measured_rows_++ == 0) {
    for (const std::string_view label : labels_) measured_.cell(label);
    for (const auto& [column, cell] : cells) measured_.cell(column);
    for (const auto& [column, cell] : measured) measured_.cell(column);
    measured_.end_line();
  }
  for (const std::string_view label : labels_) measured_.cell(row.text(label));
  for (const auto& [column, cell] : cells) measured_.cell(cell);
  for (const auto& [column, cell] : measured) measured_.cell(cell);
  measured_.end_line();
}

void RowTable::reject(const MeasuredRow& row, std::uint64_t line, const std::string& problem) {
  ++result_.rows;
  note(row, line, 0, {"", "", "cannot be expressed: " + problem});
}

void RowTable::add_model(ModelFile model) {
  const auto is_same = [&](const ModelFile& written) { return written.name == model.name; };
  if (std::none_of(result_.models.begin(), result_.models.end(), is_same)) result_.models.push_back(std::move(model));
}

MeasuredPoints RowTable::take() {
  result_.points = points_.text();
  result_.notes = notes_.text();
  result_.measured = measured_.text();
  return std::move(result_);
}

void RowTable::note(const MeasuredRow& row, std::uint64_t line, std::uint64_t point, const Assumption& assumption) {
  notes_.cell(line);
  notes_.cell(row.text("id"));
  point > 0 ? notes_.cell(point) : notes_.cell(std::string_view{});
  notes_.cell(assumption.parameter);
  notes_.cell(assumption.value);
  notes_.cell(assumption.reason);
  notes_.end_line();
}

MeasuredPoints read_row_table(std::string table, const std::string& shown, const Catalogue& catalogue, AddRow add) {
  CsvReader reader(std::move(table), shown);
  std::vector<std::string> columns;
  for (const CsvCell& cell : reader.header()) columns.emplace_back(cell.text);
  RowTable rows(catalogue, shown, columns);
  for (auto cells = reader.next(); !cells.empty(); cells = reader.next()) {
    MeasuredRow row;
    for (std::size_t c = 0; c < cells.size(); ++c) row.cells.emplace(columns[c], std::string(cells[c].text));
    add(rows, row, reader.line());
  }
  if (!reader.problems().empty()) throw UserError(std::vector<Problem>(reader.problems()));
  return rows.take();
}

}  // namespace dfsweep::foreign
