#include "engine/report/measured.hpp"

#include <fmt/format.h>

#include "engine/measurements/error_table.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "io/terminal.hpp"

namespace dfsweep::report {

Json measured_json(const MeasuredRows& all) {
  const MeasuredMetric& measured = all.metrics.front();
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
                                           {"median", error_at(measured, 0.5)},
                                           {"p90", error_at(measured, 0.9)}}}};
}

html::Table measured_table(const MeasuredRows& all) {
  const MeasuredMetric& measured = all.metrics.front();
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

std::string measured_summary(const MeasuredRows& all) {
  const MeasuredMetric& measured = all.metrics.front();
  constexpr std::size_t most_named = 3;
  std::string text = fmt::format("{} of {} measured rows have a prediction.", measured.joined(), measured.rows.size());
  std::size_t named = 0;
  for (const MeasuredRow& row : measured.rows)
    if (!row.problem.empty() && named++ < most_named)
      text += fmt::format(" {}: {}.", printable(row.name), printable(row.problem));
  if (named > most_named) text += fmt::format(" And {} more.", named - most_named);
  if (!all.ignored.empty()) text += fmt::format(" Columns that are not used: {}.", printable(listed(all.ignored)));
  for (std::size_t m = 1; m < all.metrics.size(); ++m)
    text += fmt::format(" '{}' was measured too: 'dfsweep compare' takes every metric.",
                        printable(all.metrics[m].metric->name));
  return text;
}

}  // namespace dfsweep::report
