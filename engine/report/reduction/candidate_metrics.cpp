/// Candidate metrics: columns that a page may show, those that the views name first.
#include <fmt/format.h>

#include <algorithm>

#include "engine/console/usage_error.hpp"
#include "engine/report/reduction/views.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/results/scan.hpp"

namespace dfsweep::report {

std::vector<const DatasetColumn*> candidate_metrics(const DatasetReader& file, const ReportRequest& request) {
  constexpr std::size_t first_of_file = 24;
  std::vector<const DatasetColumn*> found;
  const auto add = [&](std::string_view name) {
    const DatasetColumn* column = file.column(name);
    if (column == nullptr || !is_metric(file, *column)) return;
    if (std::find(found.begin(), found.end(), column) == found.end()) found.push_back(column);
  };
  const auto add_asked = [&](const std::string& name, const char* option) {
    const DatasetColumn& column = column_named(file, name, option);
    if (!is_metric(file, column)) throw UsageError(fmt::format("{}: '{}' is not a metric.", option, name));
    add(name);
    return &column;
  };
  for (const std::string& name : request.metrics) add_asked(name, "--metrics");
  for (const auto& [x, y] : request.trade_offs)
    for (const std::string& name : {x, y})
      if (better_of(*add_asked(name, "--pareto")) == Better::neither)
        throw UsageError(fmt::format("--pareto: '{}' has no better direction.", name));
  const ResultViews published = views_of(file);
  add(file.attribute("search_metric"));
  for (const std::string_view name : published.headline) add(name);
  for (const std::string_view name : {"expected_error", "evidence", "price_source", "power_source", "time_source"})
    add(name);
  add(published.total);
  for (const std::string_view name : published.parts) add(name);
  for (const ResultViews::TradeOff& pair : published.trade_offs) {
    add(pair.x);
    add(pair.y);
  }
  std::size_t place = 0;
  for (const DatasetColumn* column : metric_columns(file))
    if (place++ < first_of_file || column->name.starts_with("best_")) add(column->name);
  return found;
}

}  // namespace dfsweep::report
