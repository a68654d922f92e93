/// The parts of a page's data that say what its sections show: views and answer.
#include "engine/report/report_json.hpp"

namespace dfsweep::report {

Json views_json(const Report& report) {
  const auto metric = [&](std::size_t m) { return Json(report.subject.metrics[m].column->name); };
  const auto axis = [&](std::size_t a) { return Json(report.subject.axes[a].column->name); };
  const auto metrics = [&](const std::vector<std::size_t>& list) {
    JsonArray names;
    for (const std::size_t m : list) names.push_back(metric(m));
    return names;
  };
  const Views& views = report.views;
  JsonObject json{{"heat", metrics(views.heat)}};
  if (views.decides) json.emplace_back("decides", metric(*views.decides));
  if (views.task) json.emplace_back("task", axis(*views.task));
  if (views.compute) json.emplace_back("compute", axis(*views.compute));
  if (views.facet) json.emplace_back("facet", axis(*views.facet));
  if (views.facet && views.is_facet_asked) json.emplace_back("facet_asked", true);
  if (views.y) json.emplace_back("y", axis(*views.y));
  JsonArray x;
  for (const std::size_t a : views.x) x.push_back(axis(a));
  json.emplace_back("x", std::move(x));
  if (!views.parts.empty()) {
    JsonObject breakdown{{"parts", metrics(views.parts)}, {"adds_up", views.parts_add_up}};
    if (views.total) breakdown.emplace_back("total", metric(*views.total));
    json.emplace_back("breakdown", std::move(breakdown));
  }
  JsonArray pairs;
  for (const auto& [mx, my] : views.trade_offs) pairs.emplace_back(JsonArray{metric(mx), metric(my)});
  json.emplace_back("pareto", std::move(pairs));
  if (views.lines_x) {
    JsonObject lines{{"x", axis(*views.lines_x)}};
    if (views.lines_series) lines.emplace_back("series", axis(*views.lines_series));
    json.emplace_back("lines", std::move(lines));
  }
  return json;
}

Json answer_json(const Report& report) {
  JsonArray list;
  for (const Ranking& ranking : report.rankings) {
    JsonArray places;
    for (const std::uint64_t row : ranking.rows) places.emplace_back(place_of(report.kept, row));
    list.emplace_back(JsonObject{{"task", ranking.task},
                                 {"kept", std::move(places)},
                                 {"behind", ranking.behind},
                                 {"error", ranking.error},
                                 {"tied", ranking.tied},
                                 {"more", ranking.has_more}});
  }
  return list;
}

}  // namespace dfsweep::report
