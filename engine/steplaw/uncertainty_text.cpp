/// The recommended law, its intervals and the next runs on the terminal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/steplaw/uncertainty.hpp"

namespace dfsweep {

namespace {

std::string per_cent(double share) {
  return std::isnan(share) ? "-" : fmt::format("{:.4f} %", 100.0 * share);
}

std::string power_law(std::string_view target, const PowerLaw& law, FeatureSet features) {
  std::string text = fmt::format("{} = {:.4g}", target, std::exp(law.intercept));
  constexpr std::string_view symbols[] = {"N", "Na", "D", "C"};
  for (std::size_t f = 0; f < law_feature_count; ++f)
    if (features.has(static_cast<LawFeature>(f))) text += fmt::format(" {}^{:.4f}", symbols[f], law.exponent[f]);
  return text;
}

std::string candidate_name(const LawCandidate& candidate) {
  return fmt::format("{}/{}", candidate.form.name, method_name(candidate.method));
}

std::string recommended_text(const RecommendedLaw& law, const Terminal& terminal) {
  std::string text = toned(terminal, Tone::bold, "recommended law") + "\n";
  text += fmt::format("  {}   {}   tokens per step ({})\n",
                      power_law("lr", law.fit.learning_rate.law, law.fit.form.learning_rate),
                      power_law("B", law.fit.batch_tokens.law, law.fit.form.batch_tokens),
                      candidate_name({law.fit.form, law.fit.method}));
  const auto differ = [&law](const JudgedGroup& each) {
    return law.candidates[each.candidate].first != LawCandidate{law.fit.form, law.fit.method};
  };
  const auto others = std::count_if(law.judged.begin(), law.judged.end(), differ);
  text +=
      wrapped(fmt::format("  Chosen among {} laws by what they cost on groups left out. The rule on groups that it has "
                          "not seen: {} (nearest run), {} (interpolated) over {} groups; {} of them would have "
                          "had another law.",
                          law.candidates.size(), per_cent(law.judged_summary.nearest_mean),
                          per_cent(law.judged_summary.bilinear_mean), law.judged_summary.groups, others),
              terminal, 2);
  text +=
      wrapped(fmt::format("  Less than the published law costs there: {} (95 % {} .. {}){}.", per_cent(law.gain.mean),
                          per_cent(law.gain.interval.low), per_cent(law.gain.interval.high),
                          law.gain.is_claimed() ? "" : "; not enough to claim a gain"),
              terminal, 2);
  if (law.dense_choice)
    text += wrapped(fmt::format("  From dense groups alone the rule takes {}, which costs {} on the {} MoE groups.",
                                candidate_name(*law.dense_choice), per_cent(law.dense_to_moe.nearest_mean),
                                law.dense_to_moe.groups),
                    terminal, 2);
  return text + "\n";
}

std::string effect_text(const Uncertainty& all, const Terminal& terminal) {
  const ScatteredLaw& law = all.law;
  std::string text = toned(terminal, Tone::bold, "law with intervals") + "\n";
  if (law.defect != FitDefect::none) return text + fmt::format("  none: {}\n\n", describe(law.defect));
  text += fmt::format("  {}   {}\n", power_law("lr", law.learning_rate.law, law.form.learning_rate),
                      power_law("B", law.batch_tokens.law, law.form.batch_tokens));
  text += wrapped(
      fmt::format(
          "  Optima of a {} surface at {:.3g} %, shared by {:.0f} groups, which scatter about the law by {:.3f} in ln "
          "lr and {:.3f} in ln B: {:.0f} % and {:.0f} % of that their own runs do not explain, so that more groups "
          "narrow the intervals and more runs per group do not.",
          law.choice.shape == SurfaceShape::cubic ? "cubic" : "quadratic", 100.0 * law.choice.window,
          law.learning_rate.groups, law.learning_rate.between_sd, law.batch_tokens.between_sd,
          100.0 * law.learning_rate.heterogeneity, 100.0 * law.batch_tokens.heterogeneity),
      terminal, 2);
  if (all.left_out.groups > 0)
    text += wrapped(fmt::format("  Each group left out it costs {} (nearest run), {} (interpolated).",
                                per_cent(all.left_out.nearest_mean), per_cent(all.left_out.bilinear_mean)),
                    terminal, 2);
  return text + "\n";
}

std::string range(const Interval& interval, std::string_view format, double unit) {
  return fmt::format("{} .. {}", fmt::format(fmt::runtime(format), std::exp(interval.low) / unit),
                     fmt::format(fmt::runtime(format), std::exp(interval.high) / unit));
}

std::string predictions_text(const Uncertainty& all, const Terminal& terminal) {
  if (all.predictions.empty()) return {};
  const std::string level = fmt::format("{:.3g} %", 100.0 * all.settings.confidence);
  std::vector<TextColumn> columns = {{"N", "", Align::right, {}, 9},
                                     {"Na", "", Align::right, {}, 3},
                                     {"D", "", Align::right, {}, 9},
                                     {"", "", Align::left, {}, 9},
                                     {"recommended", "", Align::right, {}, 8},
                                     {"middle", "", Align::right, {}, 6},
                                     {level, "of the law", Align::left, {}, 8},
                                     {level, "of one group", Align::left, {}, 5}};
  const auto row = [&](const TrainingScale& scale, std::string_view what, double recommended,
                       const EffectPrediction& effect, std::string_view format, double unit) {
    const auto shown = [&](double ln) {
      return std::isnan(ln) ? "-" : fmt::format(fmt::runtime(format), std::exp(ln) / unit);
    };
    const std::string cells[] = {fmt::format("{:.4g}", scale.parameters),
                                 fmt::format("{:.4g}", scale.activated_parameters),
                                 fmt::format("{:.4g}", scale.train_tokens),
                                 std::string(what),
                                 shown(recommended),
                                 shown(effect.value),
                                 range(effect.interval, format, unit),
                                 range(effect.of_one_group, format, unit)};
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].cells.push_back(cells[c]);
  };
  for (const ScalePrediction& each : all.predictions) {
    row(each.scale, "lr", each.recommended.x, each.interval[0], "{:.4g}", 1.0);
    row(each.scale, "tokens", each.recommended.y, each.interval[1], "{:.0f}", 1.0);
    row(each.scale, "sequences", each.recommended.y, each.interval[1], "{:.1f}", all.settings.sequence_length);
  }
  return toned(terminal, Tone::bold, "predictions with intervals") + "\n" + render_table(columns, terminal, 2).text +
         "\n";
}

std::string sensitivity_text(const Uncertainty& all, const Terminal& terminal) {
  if (all.predictions.empty()) return {};
  const ScalePrediction& first = all.predictions.front();
  std::vector<TextColumn> columns = {{"shape", "", Align::left, {}, 9},   {"window", "", Align::right, {}, 8},
                                     {"lr", "", Align::right, {}, 7},     {"interval", "", Align::left, {}, 6},
                                     {"tokens", "", Align::right, {}, 7}, {"interval", "", Align::left, {}, 6}};
  for (const SensitivityRow& row : first.sensitivity) {
    columns[0].cells.push_back(row.choice.shape == SurfaceShape::cubic ? "cubic" : "quadratic");
    columns[1].cells.push_back(fmt::format("{:.3g} %", 100.0 * row.choice.window));
    columns[2].cells.push_back(fmt::format("{:.4g}", std::exp(row.prediction[0].value)));
    columns[3].cells.push_back(range(row.prediction[0].interval, "{:.4g}", 1.0));
    columns[4].cells.push_back(fmt::format("{:.0f}", std::exp(row.prediction[1].value)));
    columns[5].cells.push_back(range(row.prediction[1].interval, "{:.0f}", 1.0));
  }
  return toned(terminal, Tone::bold,
               fmt::format("how the interval at N = {:.4g}, D = {:.4g} depends on the surface", first.scale.parameters,
                           first.scale.train_tokens)) +
         "\n" + render_table(columns, terminal, 2).text + "\n";
}

std::string next_text(const Uncertainty& all, const Terminal& terminal) {
  if (all.next.empty()) return {};
  std::vector<TextColumn> columns = {{"N", "", Align::right, {}, 9},
                                     {"Na", "", Align::right, {}, 7},
                                     {"D", "", Align::right, {}, 9},
                                     {"width of lr", "of now", Align::right, {}, 8},
                                     {"width of B", "of now", Align::right, {}, 8},
                                     {"FLOP per run", "", Align::right, {}, 6}};
  for (const NextGroup& each : all.next) {
    columns[0].cells.push_back(fmt::format("{:.4g}", each.scale.parameters));
    columns[1].cells.push_back(fmt::format("{:.4g}", each.scale.activated_parameters));
    columns[2].cells.push_back(fmt::format("{:.4g}", each.scale.train_tokens));
    columns[3].cells.push_back(fmt::format("{:.1f} %", 100.0 * each.width_ratio[0]));
    columns[4].cells.push_back(fmt::format("{:.1f} %", 100.0 * each.width_ratio[1]));
    columns[5].cells.push_back(fmt::format("{:.2g}", each.run_flop));
  }
  const TrainingScale& target = all.predictions.front().scale;
  return toned(terminal, Tone::bold,
               fmt::format("which group to run next, for the intervals at N = {:.4g}, D = {:.4g}", target.parameters,
                           target.train_tokens)) +
         "\n" + render_table(columns, terminal, 2).text + "\n";
}

}  // namespace

std::string uncertainty_text(const Uncertainty& uncertainty, const Terminal& terminal) {
  std::string text;
  if (uncertainty.recommended) text += recommended_text(*uncertainty.recommended, terminal);
  return text + effect_text(uncertainty, terminal) + predictions_text(uncertainty, terminal) +
         sensitivity_text(uncertainty, terminal) + next_text(uncertainty, terminal);
}

}  // namespace dfsweep
