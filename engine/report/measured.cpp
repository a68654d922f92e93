#include "engine/report/measured.hpp"

#include <fmt/format.h>

#include "engine/measurements/error_table.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "io/terminal.hpp"

namespace dfsweep::report {

Json measured_json(const MeasuredMetric& measured) {
  JsonArray rows;
  JsonArray missing;
  for (const JoinedRow& row : measured.rows) {
    if (row.problem.empty())
      rows.emplace_back(JsonObject{
          {"name", row.name}, {"group", row.group}, {"measured", row.measured}, {"predicted", row.predicted}});
    else
      missing.emplace_back(JsonObject{{"name", row.name}, {"line", row.line}, {"reason", row.problem}});
  }
  return JsonObject{{"metric", measured.metric},
                    {"unit", shown_unit(measured.units)},
                    {"about", measured.about},
                    {"rows", std::move(rows)},
                    {"missing", std::move(missing)},
                    {"summary", JsonObject{{"count", measured.joined()},
                                           {"missing", measured.rows.size() - measured.joined()},
                                           {"median", error_at(measured, 0.5)},
                                           {"p90", error_at(measured, 0.9)}}}};
}

html::Table measured_table(const MeasuredMetric& measured) {
  html::Table table{.caption = fmt::format("Measured and predicted {}", printable(measured.metric)),
                    .headers = {"row", "group", "measured", "predicted", "predicted / measured"},
                    .rows = {},
                    .numeric = {false, false, true, true, true}};
  const std::string& units = measured.units;
  for (const JoinedRow& row : measured.rows)
    table.rows.push_back({printable(row.name), printable(row.group), with_unit(row.measured, units),
                          row.problem.empty() ? with_unit(row.predicted, units) : printable(row.problem),
                          row.problem.empty() ? with_unit(row.predicted / row.measured, "1") : "-"});
  return table;
}

std::string measured_summary(const MeasuredRows& all) {
  constexpr std::size_t most_named = 3;
  std::string text;
  for (const MeasuredMetric& measured : all.metrics) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{} of {} measured rows have a predicted {}.", measured.joined(), measured.rows.size(),
                        printable(measured.metric));
    std::size_t named = 0;
    for (const JoinedRow& row : measured.rows)
      if (!row.problem.empty() && named++ < most_named)
        text += fmt::format(" {}: {}.", printable(row.name), printable(row.problem));
    if (named > most_named) text += fmt::format(" And {} more.", named - most_named);
  }
  if (!all.ignored.empty()) text += fmt::format(" Columns that are not used: {}.", printable(listed(all.ignored)));
  return text;
}

}  // namespace dfsweep::report
