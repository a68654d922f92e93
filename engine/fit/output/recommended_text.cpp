/// The recommended law, its predictions and what to run next, as sentences and tables.
#include <fmt/format.h>

#include <cmath>

#include "engine/fit/output/text.hpp"
#include "engine/fit/report/recommended.hpp"

namespace dfsweep::fit {

using namespace hyperparameters;

namespace {

std::string range(const Interval& logs, int digits) {
  return fmt::format("{} .. {}", shown(std::exp(logs.low), digits), shown(std::exp(logs.high), digits));
}

std::string whole_range(const Interval& logs, double divisor) {
  return fmt::format("{:.0f} .. {:.0f}", std::exp(logs.low) / divisor, std::exp(logs.high) / divisor);
}

std::string predictions_table(const RecommendedLaw& law, double sequence_length, const Terminal& terminal) {
  TableBuilder table;
  table.column("N", Align::right, 9)
      .column("Na", Align::right, 4)
      .column("D", Align::right, 9)
      .column("law", Align::left, 8)
      .column("lr", Align::right, 9)
      .column("95 %", Align::left, 9)
      .column("tokens", Align::right, 9)
      .column("95 %", Align::left, 9)
      .column("sequences", Align::right, 7)
      .column("95 %", Align::left, 6);
  for (const ScalePrediction& each : law.predictions) {
    const std::vector<std::string> scale = {count_text(each.scale.parameters),
                                            count_text(each.scale.activated_parameters),
                                            count_text(each.scale.train_tokens)};
    const double tokens = std::exp(each.recommended.y);
    std::vector<std::string> cells = scale;
    for (std::string cell :
         {std::string("recommended"), shown(std::exp(each.recommended.x)), std::string(), fmt::format("{:.0f}", tokens),
          std::string(), fmt::format("{:.0f}", tokens / sequence_length), std::string()})
      cells.push_back(std::move(cell));
    table.row(std::move(cells));
    if (law.scattered.defect != FitDefect::none) continue;
    const EffectPrediction& rate = each.scattered[0];
    const EffectPrediction& batch = each.scattered[1];
    cells = scale;
    for (std::string cell :
         {std::string("interval"), shown(std::exp(rate.value)), range(rate.interval, 4),
          fmt::format("{:.0f}", std::exp(batch.value)), whole_range(batch.interval, 1.0),
          fmt::format("{:.0f}", std::exp(batch.value) / sequence_length), whole_range(batch.interval, sequence_length)})
      cells.push_back(std::move(cell));
    table.row(std::move(cells));
    cells = scale;
    for (std::string cell :
         {std::string("one group"), std::string(), range(rate.of_one_group, 4), std::string(),
          whole_range(batch.of_one_group, 1.0), std::string(), whole_range(batch.of_one_group, sequence_length)})
      cells.push_back(std::move(cell));
    table.row(std::move(cells));
  }
  if (table.empty()) return {};
  return table.text(terminal) +
         wrapped(
             "  interval: of the law whose groups scatter about it, with the scatter that these groups show; one "
             "group: where the optimum of one such training will be",
             terminal, 2);
}

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

std::string rule_text(const FitReport& report, const RecommendedLaw& law, const Terminal& terminal) {
  std::string text =
      fmt::format("  {}\n  {}   ({})\n", law_text("lr", law.fit.learning_rate.law, law.candidate.form.learning_rate),
                  law_text("B", law.fit.batch_tokens.law, law.candidate.form.batch_tokens), law.name(report.subsets));
  if (law.candidates.empty())
    text += "  not chosen by what it costs: groups were not left out in turn\n";
  else
    text += wrapped(
        fmt::format("  chosen among {} laws by regret_bilinear on groups left out in turn: nearest {}, bilinear {}, "
                    "quad1 {}",
                    law.candidates.size(), per_cent(law.left_out.nearest_mean), per_cent(law.left_out.bilinear_mean),
                    per_cent(law.left_out.quadratic_mean)),
        terminal, 2);
  if (!law.judged_groups.empty())
    text += wrapped(
        fmt::format("  the rule itself, which never saw the group that it is judged on: nearest {}, bilinear {}, "
                    "quad1 {} over {} groups",
                    per_cent(law.judged.nearest_mean), per_cent(law.judged.bilinear_mean),
                    per_cent(law.judged.quadratic_mean), law.judged.groups),
        terminal, 2);
  if (!law.judged_groups.empty()) {
    const auto gain = [](const PairedGain& each) {
      return fmt::format("{} ({} .. {})", per_cent(each.mean), per_cent(each.interval.low),
                         per_cent(each.interval.high));
    };
    text +=
        wrapped(fmt::format("  saved over the published law on the same groups: nearest {}, bilinear {}, quad1 {}; {}",
                            gain(law.nearest_gain), gain(law.bilinear_gain), gain(law.quadratic_gain),
                            law.nearest_gain.is_claimed() && law.bilinear_gain.is_claimed()
                                ? "more than noise"
                                : "no claim: below 0.03 % or not clear of 0"),
                terminal, 2);
  }
  if (law.dense_to_moe)
    text += wrapped(
        fmt::format("  chosen ({}/{}) and fitted on dense groups alone, on the MoE groups: nearest {}, bilinear "
                    "{}, quad1 {}",
                    law.dense_candidate->form.name, method_name(law.dense_candidate->method),
                    per_cent(law.dense_to_moe->nearest_mean), per_cent(law.dense_to_moe->bilinear_mean),
                    per_cent(law.dense_to_moe->quadratic_mean)),
        terminal, 2);
  const bool is_good = law.scattered.defect == FitDefect::none;
  if (is_good)
    text +=
        wrapped(fmt::format("  groups scatter about a law of this form by {:.2g} in ln lr and {:.2g} in ln B beyond "
                            "what their own runs explain",
                            law.scattered.learning_rate.between_sd, law.scattered.batch_tokens.between_sd),
                terminal, 2);
  else
    text += wrapped(fmt::format("  no interval: {}", describe(law.scattered.defect)), terminal, 2);
  return text;
}

/// Why no law is recommended, and nothing predicted.
std::string absence(const FitReport& report) {
  const std::size_t groups = report.subsets.back().groups.size();
  if (groups < least_recommended_groups)
    return fmt::format("none, and no predictions: groups of runs are left out in turn, which takes {} of them, not {}",
                       least_recommended_groups, groups);
  return report.scoring ? "none, and no predictions: the law of the rule cannot be fitted to these groups"
                        : "none: groups were not left out in turn; a law with its interval comes with --predict";
}

}  // namespace

std::string recommended_text(const FitReport& report, const Terminal& terminal) {
  if (!report.recommended) return section(terminal, "recommended law", wrapped("  " + absence(report), terminal, 2));
  const RecommendedLaw& law = *report.recommended;
  std::string text = section(terminal, "recommended law", rule_text(report, law, terminal));
  text += section(terminal, "predictions", predictions_table(law, report.settings.sequence_length, terminal));
  return text;
}

std::string advice_text(const FitReport& report, const Terminal& terminal) {
  if (!report.recommended) return {};
  std::string text;
  for (const ScalePrediction& each : report.recommended->predictions) {
    const std::string at =
        fmt::format("N {}, D {}", count_text(each.scale.parameters), count_text(each.scale.train_tokens));
    text += section(terminal, "how the prediction depends on the surface, " + at, sensitivity_table(each, terminal));
    text +=
        section(terminal, "next groups of runs that would narrow the interval most, " + at, next_table(each, terminal));
  }
  return text;
}

}  // namespace dfsweep::fit
