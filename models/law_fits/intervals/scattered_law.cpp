#include "models/law_fits/intervals/scattered_law.hpp"

#include "models/absent.hpp"

namespace dfsweep::law_fits {

namespace {}  // namespace

ScatteredLaw fit_scattered_law(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
                               const SurfaceChoice& choice) {
  ScatteredLaw out;
  out.form = form;
  out.choice = choice;
  if (runs.kept_below < choice.window) out.choice.shape = SurfaceShape::quadratic;
  out.groups.assign(groups.begin(), groups.end());
  out.surface = fit_shared_surface(runs, groups, choice.window, out.choice.shape, choice.chosen);
  if (out.surface.defect != FitDefect::none && out.choice.shape != SurfaceShape::quadratic) {
    out.choice.shape = SurfaceShape::quadratic;
    out.surface = fit_shared_surface(runs, groups, choice.window, SurfaceShape::quadratic, choice.chosen);
  }
  out.learning_rate =
      fit_random_effect(scattered_optima(runs, groups, out.surface, form.learning_rate, LawTarget::learning_rate));
  out.batch_tokens =
      fit_random_effect(scattered_optima(runs, groups, out.surface, form.batch_tokens, LawTarget::batch_tokens));
  for (const FitDefect defect : {out.surface.defect, out.learning_rate.defect, out.batch_tokens.defect})
    if (out.defect == FitDefect::none) out.defect = defect;
  return out;
}

std::array<EffectPrediction, 2> predict(const ScatteredLaw& law, const TrainingScale& scale, double confidence) {
  return {predict(law.learning_rate, scale, confidence), predict(law.batch_tokens, scale, confidence)};
}

std::vector<GroupScore> cross_validate_scattered(const SelectedRuns& runs, const ScoringGroups& scoring,
                                                 std::span<const GroupSplit> splits, const LawForm& form,
                                                 const SurfaceChoice& choice) {
  std::vector<GroupScore> scores;
  for (const GroupSplit& split : splits) {
    const ScatteredLaw fit = fit_scattered_law(runs, split.train, form, choice);
    for (const std::size_t g : split.test) {
      const bool fitted = fit.defect == FitDefect::none;
      scores.push_back(score(scoring, g, fitted ? fit.law().at(runs.groups[g].scale) : LogPoint{absent, absent}));
    }
  }
  return scores;
}

std::vector<SensitivityRow> interval_sensitivity(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                                 const LawForm& form, const TrainingScale& scale, double confidence) {
  std::vector<SensitivityRow> rows;
  for (const SurfaceShape shape : {SurfaceShape::quadratic, SurfaceShape::cubic}) {
    for (const double window : {0.0075, 0.01, 0.015, 0.02}) {
      if (shape == SurfaceShape::cubic && runs.kept_below < window) continue;
      const ScatteredLaw law = fit_scattered_law(runs, groups, form, {window, shape, RunWindow::by_loss});
      rows.push_back({law.choice,
                      law.defect,
                      predict(law, scale, confidence),
                      {law.learning_rate.between_sd, law.batch_tokens.between_sd}});
    }
  }
  return rows;
}

}  // namespace dfsweep::law_fits
