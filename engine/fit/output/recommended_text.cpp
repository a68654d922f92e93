/// The recommended law, its predictions and the alternative as sentences and tables; what predictions depend on, and
/// what to run next.
#include <fmt/format.h>

#include <cmath>

#include "engine/fit/output/text.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

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

const ShownColumn predictions_view[] = {{"parameters", "N", 9},
                                        {"activated_parameters", "Na", 4},
                                        {"train_tokens", "D", 9},
                                        {"learning_rate", "lr", 9},
                                        {"learning_rate_interval", "95 %", 9, significant(4), "none"},
                                        {"batch_tokens", "tokens", 9, decimals(0)},
                                        {"batch_tokens_interval", "95 %", 9, decimals(0), "none"},
                                        {"batch_sequences", "sequences", 7, decimals(0)},
                                        {"batch_sequences_interval", "95 %", 6, decimals(0), "none"}};

/// Where the optimum of a single training will be: the scatter between groups on top of the law's interval.
const ShownColumn one_group_view[] = {{"parameters", "N", 9},
                                      {"activated_parameters", "Na", 4},
                                      {"train_tokens", "D", 9},
                                      {"scattered_learning_rate_interval_of_one_group", "lr, 95 %", 9},
                                      {"scattered_batch_tokens_interval_of_one_group", "tokens, 95 %", 9, decimals(0)},
                                      {"batch_sequences_interval_of_one_group", "sequences, 95 %", 6, decimals(0)}};

/// The cheapest law's predictions.
const ShownColumn alternative_view[] = {{"parameters", "N", 9},
                                        {"activated_parameters", "Na", 4},
                                        {"train_tokens", "D", 9},
                                        {"alternative_learning_rate", "lr", 9},
                                        {"alternative_batch_tokens", "tokens", 9, decimals(0)},
                                        {"alternative_batch_sequences", "sequences", 7, decimals(0)},
                                        {"alternative_against_interval", "against the interval above", 5}};

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

std::string alternative_text(const FitReport& report, const RecommendedLaw& law, const DataTable& predictions,
                             const Terminal& terminal) {
  return cheapest_text(report, law, terminal) +
         wrapped(fmt::format(
                     "  why it differs: {}. It has no calibrated interval. What both laws cost on groups left out was "
                     "measured within the range of the runs only",
                     difference(law.candidate.method.estimator)),
                 terminal, 2) +
         view_text(predictions, alternative_view, terminal);
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
  const DataTable predictions = predictions_table(law, report.settings.sequence_length);
  std::string text;
  if (law.has_interval())
    text = section(terminal, "recommended law", law_with_interval(report, law, terminal));
  else
    text = section(terminal, "recommended law",
                   cheapest_text(report, law, terminal) + fitted_range(law, terminal) +
                       wrapped(fmt::format("  no interval: {}", describe(law.scattered.defect)), terminal, 2));
  text += section(terminal, "predictions",
                  view_text(predictions, predictions_view, terminal) + extrapolation_text(law, terminal));
  if (!law.has_interval()) return text;
  text += section(terminal, "where the optimum of a single training will be",
                  view_text(predictions, one_group_view, terminal));
  text += section(terminal, "alternative: the law that costs least on groups left out",
                  alternative_text(report, law, predictions, terminal));
  return text;
}

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
