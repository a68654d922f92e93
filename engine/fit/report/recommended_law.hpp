/// The law to use with its calibrated prediction intervals, the alternative, and how both were judged.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/fit/report/group_subset.hpp"
#include "models/law_fits/fits/recommendation.hpp"
#include "models/law_fits/intervals/next_runs.hpp"
#include "models/law_fits/intervals/paired_gain.hpp"
#include "models/laws/law.hpp"

namespace dfsweep::fit {

inline constexpr double interval_confidence = 0.95;
/// Groups that the rule takes at least, because each is left out in turn.
inline constexpr std::size_t least_recommended_groups = 5;

struct ScalePrediction {
  hyperparameters::TrainingScale scale;
  hyperparameters::LogPoint value;     ///< by the recommended law
  hyperparameters::LogPoint cheapest;  ///< by the cheapest law: the alternative
  std::array<hyperparameters::EffectPrediction, 2>
      scattered;                                             ///< [target] `value` with its interval, where there is one
  std::vector<hyperparameters::SensitivityRow> sensitivity;  ///< the same with other windows and shapes of the surface
  std::vector<hyperparameters::NextGroup> next;              ///< groups that would narrow the interval most
};

/// The recommended law is the one whose groups scatter about it, because it alone has calibrated intervals; its form is
/// that of the cheapest law. Where its surface cannot be fitted the cheapest law takes its place, without intervals.
struct RecommendedLaw {
  std::size_t subset = 0;
  hyperparameters::ScaleRange range;  ///< of the groups of the subset
  // The cheapest law: the candidate that costs least on groups left out.
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
  std::optional<hyperparameters::LawCandidate> dense_candidate;     ///< the law that those recommend
  hyperparameters::ScatteredLaw scattered;                          ///< of the form of the cheapest law
  std::optional<hyperparameters::ScoreSummary> scattered_left_out;  ///< what it costs on groups left out
  std::vector<ScalePrediction> predictions;
  [[nodiscard]] bool has_interval() const { return scattered.defect == hyperparameters::FitDefect::none; }
  /// The recommended law and its name, "joint/unified/scattered1".
  [[nodiscard]] hyperparameters::ScalingLaw law() const { return has_interval() ? scattered.law() : fit.law(); }
  [[nodiscard]] std::string name(const std::vector<GroupSubset>& subsets) const;
  /// The name of the cheapest law, "joint/unified/near0.25".
  [[nodiscard]] std::string cheapest_name(const std::vector<GroupSubset>& subsets) const;
};

}  // namespace dfsweep::fit
