/// Part of a fit's report: the law to use, and honest intervals of what it predicts.
#pragma once

#include <optional>
#include <vector>

#include "engine/fit/report/fit_report.hpp"
#include "models/hyperparameters/fits/recommendation.hpp"
#include "models/hyperparameters/intervals/next_runs.hpp"
#include "models/hyperparameters/intervals/paired_gain.hpp"

namespace dfsweep::fit {

inline constexpr double interval_confidence = 0.95;
/// Groups that the rule takes at least, because each is left out in turn.
inline constexpr std::size_t least_recommended_groups = 5;

struct ScalePrediction {
  hyperparameters::TrainingScale scale;
  hyperparameters::LogPoint recommended;  ///< by the recommended law
  std::array<hyperparameters::EffectPrediction, 2>
      scattered;  ///< by the law whose groups scatter: ln lr, ln B with intervals
  std::vector<hyperparameters::SensitivityRow> sensitivity;  ///< the same with other windows and shapes of the surface
  std::vector<hyperparameters::NextGroup> next;              ///< groups that would narrow the interval most
};

struct RecommendedLaw {
  std::size_t subset = 0;
  hyperparameters::LawCandidate candidate;
  hyperparameters::LawFit fit;             ///< of the candidate to all groups of the subset
  hyperparameters::ScoreSummary left_out;  ///< of the candidate, leaving one group out
  hyperparameters::ScoreSummary judged;    ///< of the rule, which never saw the group that it is judged on
  std::vector<hyperparameters::JudgedGroup> judged_groups;  ///< [group of the subset]
  std::vector<hyperparameters::LawCandidate>
      candidates;  ///< what the rule chose among; empty where nothing could be left out
  std::vector<hyperparameters::ScoreSummary> candidate_scores;
  /// What the rule saves over the published step law on the same groups, by each of the three regret counts.
  hyperparameters::PairedGain nearest_gain, bilinear_gain, quadratic_gain;
  std::optional<hyperparameters::ScoreSummary>
      dense_to_moe;  ///< recommended by the dense groups alone, judged on MoE groups
  std::optional<hyperparameters::LawCandidate> dense_candidate;  ///< the law that those recommend
  hyperparameters::ScatteredLaw scattered;                       ///< for intervals: the form of the recommended law
  std::vector<ScalePrediction> predictions;
  [[nodiscard]] std::string name(const std::vector<GroupSubset>& subsets) const;
};

/// Null where there are fewer than five groups or no candidate can be fitted. Where runs are not known one by one, or
/// there are more than 400 groups, nothing is left out in turn: the unified form by kept runs at the threshold stands
/// without candidates, and only where predictions are asked for.
[[nodiscard]] std::shared_ptr<const RecommendedLaw> recommended_law(const FitReport& report);

}  // namespace dfsweep::fit
