/// Choice of the ranking metrics, and the best row by them.
#include "engine/results/ranking_metrics.hpp"

#include <algorithm>

#include "engine/results/best.hpp"
#include "models/expect.hpp"

namespace dfsweep {

std::vector<const DatasetColumn*> headline_columns(const DatasetReader& file) {
  std::vector<const DatasetColumn*> columns;
  for (const std::string_view name : views_of(file).headline)
    if (const DatasetColumn* column = file.column(name)) columns.push_back(column);
  return columns;
}

std::vector<const DatasetColumn*> ranking_metrics(const DatasetReader& file) {
  const auto has_no_direction = [](const DatasetColumn* metric) { return better_of(*metric) == Better::neither; };
  std::vector<const DatasetColumn*> metrics;
  if (const DatasetColumn* searched = file.column(file.attribute("search_metric"))) metrics.push_back(searched);
  std::erase_if(metrics, has_no_direction);
  if (!metrics.empty()) return metrics;
  metrics = headline_columns(file);
  std::erase_if(metrics, has_no_direction);
  if (!metrics.empty()) return metrics;
  metrics = metric_columns(file);
  std::erase_if(metrics, has_no_direction);
  metrics.resize(std::min<std::size_t>(metrics.size(), 1));
  return metrics;
}

std::optional<std::uint64_t> best_point(const DatasetReader& file) {
  const DatasetColumn* const point = file.column("point");
  DFSWEEP_EXPECT(point != nullptr);
  for (const DatasetColumn* metric : ranking_metrics(file)) {
    const BestQuestion question{.metric = metric, .direction = better_of(*metric), .by = {}};
    const BestRows best = find_best(file, question, RowFilter{});
    if (!best.rows.empty()) return read_cells(file, *point, best.rows).wholes.front();
  }
  return std::nullopt;
}

}  // namespace dfsweep
