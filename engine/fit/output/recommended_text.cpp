/// The recommended law, its predictions and the alternative, as sentences and tables.
#include <fmt/format.h>

#include <cmath>

#include "engine/fit/output/text.hpp"
#include "engine/fit/report/recommended.hpp"

namespace dfsweep::fit {

using namespace hyperparameters;

namespace {

std::vector<std::string> scale_cells(const TrainingScale& scale) {
  return {count_text(scale.parameters), count_text(scale.activated_parameters), count_text(scale.train_tokens)};
}

/// How many times a scale is beyond the range: "N 33 x the greatest, D 150 x the greatest"; empty inside.
std::string beyond(const ScaleRange& range, const TrainingScale& scale) {
  std::string text;
  const auto add = [&](const char* name, const Interval& fitted, double value) {
    if (fitted.covers(value)) return;
    text += fmt::format("{}{} is ", text.empty() ? "" : ", ", name);
    text += value > fitted.high ? fmt::format("{:.3g} times the greatest", value / fitted.high)
                                : fmt::format("{:.3g} times the least", value / fitted.low);
  };
  add("N", range.parameters, scale.parameters);
  add("Na", range.activated_parameters, scale.activated_parameters);
  add("D", range.train_tokens, scale.train_tokens);
  return text;
}

std::string extrapolation_text(const RecommendedLaw& law, const Terminal& terminal) {
  std::string text;
  for (const ScalePrediction& each : law.predictions)
    if (const std::string far = beyond(law.range, each.scale); !far.empty())
      text += wrapped(fmt::format("  extrapolation at N {}, D {}: {} of the runs. The interval holds only if the power "
                                  "law holds that far",
                                  count_text(each.scale.parameters), count_text(each.scale.train_tokens), far),
                      terminal, 2);
  return text;
}

/// One answer for each scale, with its own interval.
std::string predictions_table(const RecommendedLaw& law, double sequence_length, const Terminal& terminal) {
  TableBuilder table;
  table.column("N", Align::right, 9)
      .column("Na", Align::right, 4)
      .column("D", Align::right, 9)
      .column("lr", Align::right, 9)
      .column("95 %", Align::left, 9)
      .column("tokens", Align::right, 9)
      .column("95 %", Align::left, 9)
      .column("sequences", Align::right, 7)
      .column("95 %", Align::left, 6);
  for (const ScalePrediction& each : law.predictions) {
    std::vector<std::string> cells = scale_cells(each.scale);
    const double tokens = std::exp(each.value.y);
    const bool has = law.has_interval();
    const Interval& rate = each.scattered[0].interval;
    const Interval& batch = each.scattered[1].interval;
    for (std::string cell :
         {shown(std::exp(each.value.x)), has ? range(rate, 4) : "none", fmt::format("{:.0f}", tokens),
          has ? whole_range(batch, 1.0) : "none", fmt::format("{:.0f}", tokens / sequence_length),
          has ? whole_range(batch, sequence_length) : "none"})
      cells.push_back(std::move(cell));
    table.row(std::move(cells));
  }
  return table.empty() ? std::string() : table.text(terminal) + extrapolation_text(law, terminal);
}

/// Where the optimum of a single training will be: the scatter between groups on top of the law's interval.
std::string one_group_table(const RecommendedLaw& law, double sequence_length, const Terminal& terminal) {
  if (!law.has_interval()) return {};
  TableBuilder table;
  table.column("N", Align::right, 9)
      .column("Na", Align::right, 4)
      .column("D", Align::right, 9)
      .column("lr, 95 %", Align::left, 9)
      .column("tokens, 95 %", Align::left, 9)
      .column("sequences, 95 %", Align::left, 6);
  for (const ScalePrediction& each : law.predictions) {
    std::vector<std::string> cells = scale_cells(each.scale);
    for (std::string cell : {range(each.scattered[0].of_one_group, 4), whole_range(each.scattered[1].of_one_group, 1.0),
                             whole_range(each.scattered[1].of_one_group, sequence_length)})
      cells.push_back(std::move(cell));
    table.row(std::move(cells));
  }
  return table.text(terminal);
}

/// The cheapest law's predictions.
std::string alternative_table(const RecommendedLaw& law, double sequence_length, const Terminal& terminal) {
  TableBuilder table;
  table.column("N", Align::right, 9)
      .column("Na", Align::right, 4)
      .column("D", Align::right, 9)
      .column("lr", Align::right, 9)
      .column("tokens", Align::right, 9)
      .column("sequences", Align::right, 7)
      .column("against the interval above", Align::left, 5);
  for (const ScalePrediction& each : law.predictions) {
    std::vector<std::string> cells = scale_cells(each.scale);
    const double tokens = std::exp(each.cheapest.y);
    const bool rate = each.scattered[0].interval.covers(each.cheapest.x);
    const bool batch = each.scattered[1].interval.covers(each.cheapest.y);
    for (std::string cell :
         {shown(std::exp(each.cheapest.x)), fmt::format("{:.0f}", tokens),
          fmt::format("{:.0f}", tokens / sequence_length),
          std::string(rate && batch ? "both inside"
                                    : (rate ? "batch outside" : (batch ? "lr outside" : "both outside")))})
      cells.push_back(std::move(cell));
    table.row(std::move(cells));
  }
  return table.text(terminal);
}

std::string equations(const ScalingLaw& law, const LawForm& form, const std::string& name) {
  return fmt::format("  {}\n  {}   ({})\n", law_text("lr", law.learning_rate, form.learning_rate),
                     law_text("B", law.batch_tokens, form.batch_tokens), name);
}

std::string range_text(const char* name, const Interval& range) {
  return fmt::format("{} {} .. {}", name, count_text(range.low), count_text(range.high));
}

std::string fitted_range(const RecommendedLaw& law, const Terminal& terminal) {
  return wrapped(fmt::format("  fitted to {}, {}, {}", range_text("N", law.range.parameters),
                             range_text("Na", law.range.activated_parameters), range_text("D", law.range.train_tokens)),
                 terminal, 2);
}

std::string means(const ScoreSummary& summary) {
  return fmt::format("nearest {}, bilinear {}, quad1 {}", per_cent(summary.nearest_mean),
                     per_cent(summary.bilinear_mean), per_cent(summary.quadratic_mean));
}

/// The law with calibrated prediction intervals.
std::string law_with_interval(const FitReport& report, const RecommendedLaw& law, const Terminal& terminal) {
  return equations(law.law(), law.candidate.form, law.name(report.fitted.subsets)) +
         wrapped(
             fmt::format("  each group's optimum is located by one loss shape for all groups; the law goes through "
                         "the optima. They scatter about it by {:.2g} in ln lr and {:.2g} in ln B beyond what their "
                         "own runs explain, and the intervals follow from that",
                         law.scattered.learning_rate.between_sd, law.scattered.batch_tokens.between_sd),
             terminal, 2) +
         (law.scattered_left_out
              ? wrapped(fmt::format("  on groups left out: {}", means(*law.scattered_left_out)), terminal, 2)
              : std::string()) +
         fitted_range(law, terminal);
}

std::string judged_text(const RecommendedLaw& law, const Terminal& terminal) {
  if (law.judged_groups.empty()) return {};
  const auto gain = [](const PairedGain& each) {
    return fmt::format("{} ({} .. {})", per_cent(each.mean), per_cent(each.interval.low), per_cent(each.interval.high));
  };
  const bool is_claimed = law.nearest_gain.is_claimed() && law.bilinear_gain.is_claimed();
  return wrapped(fmt::format("  the rule itself, which never saw the group that it is judged on: {} over {} groups",
                             means(law.judged), law.judged.groups),
                 terminal, 2) +
         wrapped(fmt::format("  saved over the published law on the same groups: nearest {}, bilinear {}, quad1 {}; {}",
                             gain(law.nearest_gain), gain(law.bilinear_gain), gain(law.quadratic_gain),
                             is_claimed ? "more than noise" : "no claim: below 0.03 % or not clear of 0"),
                 terminal, 2);
}

/// The cheapest law and how it was chosen.
std::string cheapest_text(const FitReport& report, const RecommendedLaw& law, const Terminal& terminal) {
  std::string text = equations(law.fit.law(), law.candidate.form, law.cheapest_name(report.fitted.subsets));
  if (law.candidates.empty())
    text += "  not chosen by what it costs: groups were not left out\n";
  else
    text += wrapped(fmt::format("  chosen among {} laws by regret_bilinear on groups left out: {}",
                                law.candidates.size(), means(law.left_out)),
                    terminal, 2);
  text += judged_text(law, terminal);
  if (law.dense_to_moe)
    text += wrapped(
        fmt::format("  chosen ({}/{}) and fitted on dense groups alone, on the MoE groups: {}",
                    law.dense_candidate->form.name, method_name(law.dense_candidate->method), means(*law.dense_to_moe)),
        terminal, 2);
  return text;
}

/// What the cheapest law takes for the optimum, and hence why it differs.
std::string_view difference(LawEstimator estimator) {
  switch (estimator) {
    case LawEstimator::argmin:
    case LawEstimator::kept_rows:
      return "it averages the runs near each group's best; that average follows the skew of the loss basin and the "
             "edges of the grid";
    case LawEstimator::quadratic:
    case LawEstimator::quadratic_weighted:
      return "it takes minima of quadratic surfaces, which ignore the skew of the loss basin";
    case LawEstimator::joint_surface:
    case LawEstimator::robust_surface:
      return "it puts one quadratic curvature and the law through all runs at once, which ignores the skew of the loss "
             "basin and the scatter between groups";
  }
  return "";
}

std::string alternative_text(const FitReport& report, const RecommendedLaw& law, const Terminal& terminal) {
  return cheapest_text(report, law, terminal) +
         wrapped(fmt::format(
                     "  why it differs: {}. It has no calibrated interval. What both laws cost on groups left out was "
                     "measured within the range of the runs only",
                     difference(law.candidate.method.estimator)),
                 terminal, 2) +
         alternative_table(law, report.settings.sequence_length, terminal);
}

/// Why no law is recommended, and nothing predicted.
std::string absence(const FitReport& report) {
  const std::size_t groups = report.fitted.subsets.back().groups.size();
  if (groups < least_recommended_groups)
    return fmt::format("none, and no predictions: leaving groups out needs at least {} groups, found {}",
                       least_recommended_groups, groups);
  return report.judged.scoring ? "none, and no predictions: the law of the rule cannot be fitted to these groups"
                               : "none: groups were not left out; --predict gives a law with its interval";
}

}  // namespace

std::string recommended_text(const FitReport& report, const Terminal& terminal) {
  if (!report.predicted.recommended)
    return section(terminal, "recommended law", wrapped("  " + absence(report), terminal, 2));
  const RecommendedLaw& law = *report.predicted.recommended;
  const double sequence_length = report.settings.sequence_length;
  std::string text;
  if (law.has_interval())
    text = section(terminal, "recommended law", law_with_interval(report, law, terminal));
  else
    text = section(terminal, "recommended law",
                   cheapest_text(report, law, terminal) + fitted_range(law, terminal) +
                       wrapped(fmt::format("  no interval: {}", describe(law.scattered.defect)), terminal, 2));
  text += section(terminal, "predictions", predictions_table(law, sequence_length, terminal));
  text += section(terminal, "where the optimum of a single training will be",
                  one_group_table(law, sequence_length, terminal));
  if (law.has_interval())
    text += section(terminal, "alternative: the law that costs least on groups left out",
                    alternative_text(report, law, terminal));
  return text;
}

}  // namespace dfsweep::fit
