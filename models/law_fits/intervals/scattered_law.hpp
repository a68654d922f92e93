/// Scattered law: a law with calibrated prediction intervals, from optima located by one loss shape for all groups and
/// a random-effect regression.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "models/law_fits/fits/validation.hpp"
#include "models/law_fits/intervals/effect_interval.hpp"

namespace dfsweep::law_fits {

struct SurfaceChoice {
  double window = 0.01;
  SurfaceShape shape = SurfaceShape::cubic;
  RunWindow chosen = RunWindow::by_loss;
  bool operator==(const SurfaceChoice&) const = default;
};

struct ScatteredLaw {
  FitDefect defect = FitDefect::none;  ///< defect of the surface, otherwise of the first target with a defect
  LawForm form;
  SurfaceChoice choice;  ///< with the fitted shape: quadratic where the runs do not determine a cubic one
  std::vector<std::size_t> groups;
  SharedSurface surface;  ///< optima in the order of `groups`
  RandomEffectLaw learning_rate;
  RandomEffectLaw batch_tokens;
  [[nodiscard]] ScalingLaw law() const { return {learning_rate.law, batch_tokens.law}; }
  [[nodiscard]] const RandomEffectLaw& of(LawTarget target) const {
    return target == LawTarget::learning_rate ? learning_rate : batch_tokens;
  }
};

/// The shape is quadratic where only sums of runs are known (runs.kept_below < choice.window). Pre: as
/// fit_shared_surface.
[[nodiscard]] ScatteredLaw fit_scattered_law(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                             const LawForm& form, const SurfaceChoice& choice = {});

/// [target] Predictions of ln lr and ln B.
[[nodiscard]] std::array<EffectPrediction, 2> predict(const ScatteredLaw& law, const TrainingScale& scale,
                                                      double confidence);

/// As cross_validate, for this law.
[[nodiscard]] std::vector<GroupScore> cross_validate_scattered(const SelectedRuns& runs, const ScoringGroups& scoring,
                                                               std::span<const GroupSplit> splits, const LawForm& form,
                                                               const SurfaceChoice& choice = {});

/// Prediction at a scale with one choice of the surface, for a sensitivity analysis.
struct SensitivityRow {
  SurfaceChoice choice;
  FitDefect defect = FitDefect::none;
  std::array<EffectPrediction, 2> prediction;  ///< [target]
  std::array<double, 2> between_sd{};
};
/// Windows of 0.75, 1, 1.5 and 2 %, each with a quadratic and, where single runs are known, a cubic shape.
[[nodiscard]] std::vector<SensitivityRow> interval_sensitivity(const SelectedRuns& runs,
                                                               std::span<const std::size_t> groups, const LawForm& form,
                                                               const TrainingScale& scale, double confidence);

}  // namespace dfsweep::law_fits
