#include "engine/results/rejections.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "models/expect.hpp"

namespace dfsweep {
namespace {

const DatasetColumn* rejections_column(const DatasetReader& file) {
  const auto& columns = file.group_columns();
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [](const DatasetColumn& column) { return column.name == "rejections"; });
  return found == columns.end() ? nullptr : &*found;
}

/// Axes that the search does not optimise over.
std::vector<const DatasetColumn*> reported_axes(const DatasetReader& file) {
  std::set<std::string> searched;
  std::istringstream names(file.attribute("search_over"));
  for (std::string name; names >> name;) searched.insert(name);
  std::vector<const DatasetColumn*> axes = axis_columns(file);
  std::erase_if(axes, [&](const DatasetColumn* axis) { return searched.contains(axis->name); });
  return axes;
}

}  // namespace

bool is_of_search(const DatasetReader& file) {
  return rejections_column(file) != nullptr;
}

SearchRejections search_rejections(const DatasetReader& file, const RowFilter& filter) {
  const DatasetColumn* const column = rejections_column(file);
  DFSWEEP_EXPECT(column != nullptr);
  SearchRejections found;
  found.axes = reported_axes(file);
  const std::uint64_t rows_per_group = file.row_count() / column->count;
  for (const std::uint64_t row : first_rows(file, filter, file.row_count()))
    if (row % rows_per_group == 0) found.rows.push_back(row);
  std::vector<std::uint64_t> totals(column->width);
  std::vector<std::vector<std::uint64_t>> all;
  for (const std::uint64_t row : found.rows) {
    std::vector<std::uint64_t>& counts = all.emplace_back(column->width);
    file.read(*column, row / rows_per_group, std::span(counts));
    for (std::size_t s = 0; s < counts.size(); ++s) totals[s] += counts[s];
  }
  for (std::size_t s = 0; s < totals.size(); ++s)
    if (totals[s] != 0) found.statuses.push_back(s);
  for (const std::vector<std::uint64_t>& counts : all) {
    std::vector<std::uint64_t>& kept = found.counts.emplace_back();
    for (const std::size_t status : found.statuses) kept.push_back(counts[status]);
  }
  return found;
}

}  // namespace dfsweep
