/// What to use and how far to trust it: the recommended law, intervals, what they depend on, and which runs to do next.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/json.hpp"
#include "io/terminal.hpp"
#include "models/hyperparameters/next_runs.hpp"
#include "models/hyperparameters/paired_gain.hpp"
#include "models/hyperparameters/recommendation.hpp"
#include "models/hyperparameters/scattered_law.hpp"

namespace dfsweep {

struct UncertaintySettings {
  double confidence = 0.95;
  double sequence_length = 2048.0;
  std::vector<TrainingScale> predict;  ///< scales where intervals are wanted
  std::uint64_t seed = 42;             ///< of the resampled gain
  unsigned threads = 1;
};

struct RecommendedLaw {
  LawFit fit;
  ScoreSummary left_out;                                          ///< of the chosen candidate, each group left out
  std::vector<std::pair<LawCandidate, ScoreSummary>> candidates;  ///< in the order of preference
  std::vector<JudgedGroup> judged;                                ///< the rule on groups that it has not seen, [group]
  ScoreSummary judged_summary;
  PairedGain gain;                           ///< regret_nearest of the published law less that of the rule
  std::optional<LawCandidate> dense_choice;  ///< what the rule chooses from dense groups alone
  ScoreSummary dense_to_moe;                 ///< of that choice on the MoE groups
};

struct ScalePrediction {
  TrainingScale scale;
  LogPoint recommended;                      ///< by the recommended law; NaN without one
  std::array<EffectPrediction, 2> interval;  ///< [target], random effect
  std::vector<SensitivityRow> sensitivity;
};

struct Uncertainty {
  UncertaintySettings settings;
  std::optional<RecommendedLaw> recommended;  ///< nothing where runs are streamed or groups are too few
  ScatteredLaw law;
  ScoreSummary left_out;  ///< of `law`; zero groups without single runs
  std::vector<ScalePrediction> predictions;
  std::vector<NextGroup> next;  ///< for the first prediction, most useful first
};

/// `scoring`: null where only sums are known. The same result for any number of threads.
[[nodiscard]] Uncertainty uncertainty_of(const SelectedRuns& runs, const ScoringGroups* scoring,
                                         const UncertaintySettings& settings);

[[nodiscard]] std::string uncertainty_text(const Uncertainty& uncertainty, const Terminal& terminal);
[[nodiscard]] Json uncertainty_json(const Uncertainty& uncertainty);

}  // namespace dfsweep
