/// `show --rejections`: what became of the points that a search tried, for each reported point.
#include "engine/commands/show_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "engine/results/result_rows.hpp"
#include "io/number_format.hpp"

namespace dfsweep {

std::string rejections_text(const DatasetReader& file, const SearchRejections& found, std::size_t limit,
                            const Terminal& terminal) {
  const std::size_t shown = limit == 0 ? found.rows.size() : std::min(limit, found.rows.size());
  const std::span<const std::uint64_t> rows = std::span(found.rows).first(shown);
  const std::vector<std::string> names = value_names(file, *file.column("status"));
  std::string text =
      toned(terminal, Tone::bold, "points tried, by status, for " + counted(found.rows.size(), "reported point")) +
      '\n';
  std::vector<TextColumn> table;
  for (const DatasetColumn* axis : found.axes) {
    table.push_back(text_column(read_cells(file, *axis, rows)));
    table.back().weight = 2;
  }
  for (std::size_t s = 0; s < found.statuses.size(); ++s) {
    TextColumn& column = table.emplace_back();
    column = {.heading = printable(names[found.statuses[s]]), .align = Align::right, .weight = 1};
    for (std::size_t r = 0; r < shown; ++r) column.cells.push_back(fmt::format("{}", found.counts[r][s]));
  }
  text += render_table(table, terminal, 2).text;
  if (shown < found.rows.size())
    text += fmt::format("  and {} more; --top N shows N of them\n", found.rows.size() - shown);
  return text;
}

Json rejections_json(const DatasetReader& file, const SearchRejections& found) {
  const std::vector<std::string> names = value_names(file, *file.column("status"));
  std::vector<RowCells> axes;
  for (const DatasetColumn* axis : found.axes) axes.push_back(read_cells(file, *axis, found.rows));
  JsonArray all;
  for (std::size_t r = 0; r < found.rows.size(); ++r) {
    JsonObject point;
    for (const RowCells& cells : axes) point.emplace_back(cells.column->name, json_cell(cells, r));
    JsonObject tried;
    for (std::size_t s = 0; s < found.statuses.size(); ++s)
      if (found.counts[r][s] != 0) tried.emplace_back(names[found.statuses[s]], found.counts[r][s]);
    point.emplace_back("tried", std::move(tried));
    all.push_back(std::move(point));
  }
  return all;
}

}  // namespace dfsweep
