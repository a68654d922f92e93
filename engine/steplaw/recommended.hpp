/// Part of a fit's report: the law to use, and honest intervals of what it predicts.
#pragma once

#include <optional>
#include <vector>

#include "engine/steplaw/fit_report.hpp"
#include "models/hyperparameters/next_runs.hpp"
#include "models/hyperparameters/paired_gain.hpp"
#include "models/hyperparameters/recommendation.hpp"

namespace dfsweep {

inline constexpr double interval_confidence = 0.95;
/// Groups that the rule takes at least, because each is left out in turn.
inline constexpr std::size_t least_recommended_groups = 5;

struct ScalePrediction {
  TrainingScale scale;
  LogPoint recommended;                              ///< by the recommended law
  std::array<EffectPrediction, 2> scattered;         ///< by the law whose groups scatter: ln lr, ln B with intervals
  std::vector<SensitivityRow> sensitivity;           ///< the same with other windows and shapes of the surface
  std::vector<NextGroup> next;                       ///< groups that would narrow the interval most
};

struct RecommendedLaw {
  std::size_t subset = 0;
  LawCandidate candidate;
  LawFit fit;                               ///< of the candidate to all groups of the subset
  ScoreSummary left_out;                    ///< of the candidate, leaving one group out
  ScoreSummary judged;                      ///< of the rule, which never saw the group that it is judged on
  std::vector<JudgedGroup> judged_groups;   ///< [group of the subset]
  std::vector<LawCandidate> candidates;     ///< what the rule chose among; empty where nothing could be left out
  std::vector<ScoreSummary> candidate_scores;
  /// What the rule saves over the published step law on the same groups, by each of the three regret counts.
  PairedGain nearest_gain, bilinear_gain, quadratic_gain;
  std::optional<ScoreSummary> dense_to_moe;     ///< recommended by the dense groups alone, judged on MoE groups
  std::optional<LawCandidate> dense_candidate;  ///< the law that those recommend
  ScatteredLaw scattered;                   ///< for intervals: the form of the recommended law
  std::vector<ScalePrediction> predictions;
  [[nodiscard]] std::string name(const std::vector<GroupSubset>& subsets) const;
};

/// Null where there are fewer than five groups or no candidate can be fitted. Where runs are not known one by one, or
/// there are more than 400 groups, nothing is left out in turn: the unified form by kept runs at the threshold stands
/// without candidates, and only where predictions are asked for.
[[nodiscard]] std::shared_ptr<const RecommendedLaw> recommended_law(const FitReport& report);

}  // namespace dfsweep
