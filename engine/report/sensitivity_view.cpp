#include "engine/report/sensitivity_view.hpp"

#include <fmt/format.h>

#include "io/number_format.hpp"
#include "io/terminal.hpp"
#include "models/absent.hpp"

namespace dfsweep::report {

namespace {

constexpr std::size_t rows_of_plain_table = 30;

std::string value_text(const Elasticity& number) {
  return is_given(number.value) ? input_with_unit(number.value, number.unit) : "a list";
}

std::string per_cent(double exponent) {
  return is_given(exponent) ? fmt::format("{:+.3f} %", exponent) : "-";
}

}  // namespace

Json sensitivity_json(const SweepSpec& spec, const PointSensitivity& sensitivity) {
  JsonArray metrics;
  for (const MetricIndex m : sensitivity.metrics) {
    const MetricInfo& info = spec.estimator->metrics()[m];
    metrics.emplace_back(JsonObject{{"name", std::string(info.name)},
                                    {"better", info.better == Better::lower    ? "min"
                                               : info.better == Better::higher ? "max"
                                                                               : "none"}});
  }
  JsonArray numbers;
  for (const Elasticity& number : sensitivity.found.elasticities) {
    JsonArray of;
    for (const double exponent : number.of) of.push_back(is_given(exponent) ? Json(exponent) : Json(nullptr));
    numbers.emplace_back(JsonObject{{"name", number.name}, {"value", value_text(number)}, {"of", std::move(of)}});
  }
  return JsonObject{{"point", sensitivity.point},
                    {"named", sensitivity.named},
                    {"metrics", std::move(metrics)},
                    {"numbers", std::move(numbers)}};
}

html::Table sensitivity_table(const SweepSpec& spec, const PointSensitivity& sensitivity) {
  html::Table table{.caption = fmt::format("What 1 % more of a number changes at point {} ({})", sensitivity.point,
                                           printable(sensitivity.named)),
                    .headers = {"number", "now"},
                    .rows = {},
                    .numeric = {false, true}};
  for (const MetricIndex m : sensitivity.metrics) {
    table.headers.emplace_back(spec.estimator->metrics()[m].name);
    table.numeric.push_back(true);
  }
  for (const Elasticity& number : sensitivity.found.elasticities) {
    if (table.rows.size() == rows_of_plain_table) break;
    std::vector<std::string> row = {printable(number.name), value_text(number)};
    for (const double exponent : number.of) row.push_back(per_cent(exponent));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace dfsweep::report
