/// What predictions depend on, and what to run next, as tables.
#include <fmt/format.h>

#include <cmath>

#include "engine/fit/output/text.hpp"
#include "engine/fit/report/recommended.hpp"

namespace dfsweep::fit {

using namespace hyperparameters;

namespace {

std::string sensitivity_table(const ScalePrediction& each, const Terminal& terminal) {
  TableBuilder table;
  table.column("window", Align::right, 5)
      .column("surface", Align::left, 5)
      .column("lr", Align::right, 5)
      .column("95 %", Align::left, 4)
      .column("tokens", Align::right, 5)
      .column("95 %", Align::left, 4);
  for (const SensitivityRow& row : each.sensitivity) {
    const bool is_good = row.defect == FitDefect::none;
    table.row({fmt::format("{:g} %", 100.0 * row.choice.window),
               row.choice.shape == SurfaceShape::cubic ? "cubic" : "quadratic",
               is_good ? shown(std::exp(row.prediction[0].value)) : std::string(describe(row.defect)),
               is_good ? range(row.prediction[0].interval, 4) : "",
               is_good ? fmt::format("{:.0f}", std::exp(row.prediction[1].value)) : "",
               is_good ? whole_range(row.prediction[1].interval, 1.0) : ""});
  }
  return table.text(terminal);
}

std::string next_table(const ScalePrediction& each, const Terminal& terminal) {
  TableBuilder table;
  table.column("N", Align::right, 6)
      .column("Na", Align::right, 4)
      .column("D", Align::right, 6)
      .column("lr interval", Align::right, 5)
      .column("tokens interval", Align::right, 5)
      .column("FLOP of a run", Align::right, 3);
  for (const NextGroup& group : each.next)
    table.row({count_text(group.scale.parameters), count_text(group.scale.activated_parameters),
               count_text(group.scale.train_tokens), fmt::format("x {:.2f}", group.width_ratio[0]),
               fmt::format("x {:.2f}", group.width_ratio[1]), fmt::format("{:.2g}", group.run_flop)});
  return table.text(terminal);
}

}  // namespace

std::string advice_text(const FitReport& report, const Terminal& terminal) {
  if (!report.predicted.recommended) return {};
  std::string text;
  for (const ScalePrediction& each : report.predicted.recommended->predictions) {
    const std::string at =
        fmt::format("N {}, D {}", count_text(each.scale.parameters), count_text(each.scale.train_tokens));
    text += section(terminal, "how the prediction depends on the surface, " + at, sensitivity_table(each, terminal));
    text +=
        section(terminal, "next groups of runs that would narrow the interval most, " + at, next_table(each, terminal));
  }
  return text;
}

}  // namespace dfsweep::fit
