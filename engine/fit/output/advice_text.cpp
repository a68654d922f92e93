/// What predictions depend on, and what to run next, as tables.
#include <fmt/format.h>

#include "engine/fit/output/text.hpp"
#include "engine/fit/report/recommended.hpp"

namespace dfsweep::fit {

using namespace hyperparameters;

namespace {

const ShownColumn sensitivity_view[] = {
    {"window", "window", 5, [](double window) { return fmt::format("{:g} %", 100.0 * window); }},
    {"shape", "surface", 5},
    {"good_learning_rate", "lr", 5},
    {"good_learning_rate_interval", "95 %", 4},
    {"good_batch_tokens", "tokens", 5, decimals(0)},
    {"good_batch_tokens_interval", "95 %", 4, decimals(0)}};

std::string times(double ratio) {
  return fmt::format("x {:.2f}", ratio);
}

const ShownColumn next_view[] = {{"parameters", "N", 6},
                                 {"activated_parameters", "Na", 4},
                                 {"train_tokens", "D", 6},
                                 {"width_ratio_learning_rate", "lr interval", 5, times},
                                 {"width_ratio_batch_tokens", "tokens interval", 5, times},
                                 {"run_flop", "FLOP of a run", 3, significant(2)}};

}  // namespace

std::string advice_text(const FitReport& report, const Terminal& terminal) {
  if (!report.predicted.recommended) return {};
  std::string text;
  for (const ScalePrediction& each : report.predicted.recommended->predictions) {
    const std::string at =
        fmt::format("N {}, D {}", count_text(each.scale.parameters), count_text(each.scale.train_tokens));
    text += section(terminal, "how the prediction depends on the surface, " + at,
                    view_text(sensitivity_table({&each, 1}), sensitivity_view, terminal));
    text += section(terminal, "next groups of runs that would narrow the interval most, " + at,
                    view_text(next_groups_table({&each, 1}), next_view, terminal));
  }
  return text;
}

}  // namespace dfsweep::fit
