/// Everything that a fit reports: groups and their surfaces, laws by every estimator, scores, resamples,
/// the law to use with its calibrated prediction intervals, the alternative, and how both were judged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/fit/runs/loaded_runs.hpp"
#include "engine/fit/runs/streamed_runs.hpp"
#include "models/law_fits/fits/chinchilla.hpp"
#include "models/law_fits/fits/recommendation.hpp"
#include "models/law_fits/fits/validation.hpp"
#include "models/law_fits/intervals/bootstrap.hpp"
#include "models/law_fits/intervals/next_runs.hpp"
#include "models/law_fits/intervals/paired_gain.hpp"
#include "models/law_fits/intervals/seed_comparison.hpp"
#include "models/law_fits/runs/batch_times.hpp"
#include "models/law_fits/surfaces/common_curvature.hpp"
#include "models/laws/law.hpp"

namespace dfsweep::fit {

/// The groups that a law is fitted to: "dense", "moe", and "joint" where there are both.
struct GroupSubset {
  std::string name;
  std::vector<std::size_t> groups;  ///< ascending
};

inline constexpr double interval_confidence = 0.95;
/// Fewest groups to which the rule is applied: each of them is left out in turn.
inline constexpr std::size_t least_recommended_groups = 5;

struct ScalePrediction {
  TrainingScale scale;
  LogPoint value;                                       ///< by the recommended law
  LogPoint cheapest;                                    ///< by the cheapest law: the alternative
  std::array<law_fits::EffectPrediction, 2> scattered;  ///< [target] `value` with its interval, where there is one
  std::vector<law_fits::SensitivityRow> sensitivity;    ///< the same with other windows and shapes of the surface
  std::vector<law_fits::NextGroup> next;                ///< groups that would narrow the interval most
};

/// The recommended law is the one whose groups scatter about it, because it alone has calibrated intervals; its form is
/// that of the cheapest law. Where its surface cannot be fitted the cheapest law takes its place, without intervals.
struct RecommendedLaw {
  std::size_t subset = 0;
  ScaleRange range;  ///< of the groups of the subset
  // The cheapest law: the candidate that costs least on groups left out.
  law_fits::LawCandidate candidate;
  law_fits::LawFit fit;                              ///< of the candidate to all groups of the subset
  law_fits::ScoreSummary left_out;                   ///< of the candidate, leaving one group out
  law_fits::ScoreSummary judged;                     ///< of the rule, which never saw the group that it is judged on
  std::vector<law_fits::JudgedGroup> judged_groups;  ///< [group of the subset]
  std::vector<law_fits::LawCandidate> candidates;  ///< what the rule chose among; empty where nothing could be left out
  std::vector<law_fits::ScoreSummary> candidate_scores;
  /// What the rule saves over the published step law on the same groups, by each of the three regret counts.
  law_fits::PairedGain nearest_gain, bilinear_gain, quadratic_gain;
  std::optional<law_fits::ScoreSummary> dense_to_moe;  ///< recommended by the dense groups alone, judged on MoE groups
  std::optional<law_fits::LawCandidate> dense_candidate;     ///< the law that those recommend
  law_fits::ScatteredLaw scattered;                          ///< of the form of the cheapest law
  std::optional<law_fits::ScoreSummary> scattered_left_out;  ///< what it costs on groups left out
  std::vector<ScalePrediction> predictions;
  [[nodiscard]] bool has_interval() const { return scattered.defect == law_fits::FitDefect::none; }
  /// The recommended law and its name, "joint/unified/scattered1".
  [[nodiscard]] ScalingLaw law() const { return has_interval() ? scattered.law() : fit.law(); }
  [[nodiscard]] std::string name(const std::vector<GroupSubset>& subsets) const;
  /// The name of the cheapest law, "joint/unified/near0.25".
  [[nodiscard]] std::string cheapest_name(const std::vector<GroupSubset>& subsets) const;
};

struct FitSettings {
  double threshold = 0.0025;  ///< bound on rel of the runs that `kept_rows` takes, and of the bootstrap
  std::uint64_t seed = 42;
  std::uint64_t replicates = 10000;
  double sequence_length = 2048.0;  ///< tokens; turns batches of tokens into sequences
  std::vector<TrainingScale> predict;
  std::vector<double> budgets;  ///< FLOP; empty: decades from the least group to a thousand times the greatest
  unsigned threads = 1;
};

struct SubsetFit {
  std::size_t subset = 0;
  law_fits::LawFit fit;
  /// "dense/step/near0.25"; the form and the method have names of their own.
  [[nodiscard]] std::string name(const std::vector<GroupSubset>& subsets) const;
};

/// One surface for all groups of a subset, whose optima lie on a law: scatter between groups flattens it.
struct SubsetSurface {
  std::size_t subset = 0;
  FeatureSet features;
  double window = 0.0;
  law_fits::JointSurface surface;
};

/// The curvature that the groups of a subset share, about an optimum of each group.
struct SubsetCurvature {
  std::size_t subset = 0;
  law_fits::CommonCurvature common;
};

/// A law at every group.
struct ScoredLaw {
  std::string name;
  std::vector<law_fits::GroupScore> scores;  ///< [group]
};

/// Laws fitted to some groups and judged on others.
struct CrossValidation {
  std::size_t subset = 0;
  const LawForm* form = nullptr;
  law_fits::FitMethod method;
  std::string split;              ///< "leave_one_group_out", "folds", "dense_to_moe", "greatest_parameters", ...
  std::size_t fitted_groups = 0;  ///< summed over the fits: what their work is proportional to
  std::vector<law_fits::GroupScore> scores;
  /// Whether each group of the subset was judged by a law fitted without it: one by one, or by folds.
  [[nodiscard]] bool covers_every_group() const { return split == "leave_one_group_out" || split == "folds"; }
};

struct BootstrapPrediction {
  TrainingScale scale;
  law_fits::EnsemblePrediction of_laws;
};

struct BootstrapResult {
  std::size_t subset = 0;
  const LawForm* form = nullptr;
  law_fits::FitMethod method;
  law_fits::ResampleUnit unit = law_fits::ResampleUnit::row;
  std::size_t width = 0;
  std::vector<double> coefficients;                   ///< [replicate][coefficient]
  std::vector<law_fits::ReplicateSummary> summaries;  ///< [coefficient]
  std::vector<BootstrapPrediction> predictions;
  /// Fewer than were asked for where there are very many groups or rows.
  [[nodiscard]] std::uint64_t replicates() const { return width == 0 ? 0 : coefficients.size() / width; }
};

/// The model and the tokens with the least loss for a budget, by a loss law.
struct FrontierPoint {
  double flops = 0.0;  ///< 6 N D
  LossPoint optimum;
  bool is_beyond_runs = false;  ///< N or D outside the range of the dense groups
};

struct LossLawResult {
  std::string target;  ///< "min_loss", "quad1_min"
  std::string subset;  ///< "dense", "dense_without_largest_N"
  law_fits::LossLawFit fit;
  std::vector<std::pair<std::size_t, double>> held_out;  ///< group, predicted / observed - 1
};

/// The variance between the seeds of settings that were run several times, and what it explains.
struct SeedReport {
  std::optional<law_fits::SeedNoise> all;  ///< where runs are kept
  law_fits::SeedNoise near;                ///< of settings within the window of the recommended law, else within 1 %
  double window = 0.0;                     ///< of `near`
  std::optional<law_fits::SeedComparison> comparison;  ///< where the recommended law has an interval and `near` a value
};

/// What was read.
struct ReadRuns {
  std::vector<law_fits::Recipe> recipes;
  law_fits::SelectedRuns selected;
  std::optional<law_fits::GroupedRuns> grouped;  ///< not where runs are streamed
};

/// What was fitted to it.
struct FittedLaws {
  std::vector<GroupSubset> subsets;
  std::vector<law_fits::FitMethod> methods;
  std::vector<std::pair<double, std::vector<law_fits::QuadraticSurface>>> surfaces;  ///< window, [group]
  std::vector<SubsetFit> fits;
  std::vector<SubsetSurface> joint_surfaces;
  std::vector<SubsetCurvature> curvatures;  ///< [subset] what law files carry
  std::vector<LossLawResult> loss_laws;
  std::vector<FrontierPoint> frontier;  ///< by the law of the dense groups' surface minima, else of their least losses

  std::vector<law_fits::GroupTimes> batch_times;  ///< of groups whose runs have measured steps

  /// The law that the frontier follows; null where there is no frontier.
  [[nodiscard]] const LossLawResult* frontier_law() const;

  /// Null if there is no such fit.
  [[nodiscard]] const SubsetFit* find_fit(std::string_view subset, std::string_view form,
                                          const law_fits::FitMethod& method) const;
};

/// What laws cost on the groups. Empty where runs are streamed.
struct JudgedLaws {
  std::optional<law_fits::ScoringGroups> scoring;
  std::vector<ScoredLaw> published;
  std::vector<ScoredLaw> scored_fits;  ///< [fit]
  std::vector<CrossValidation> validation;
};

/// What laws say at other scales, and how certain that is.
struct PredictedOptima {
  std::vector<BootstrapResult> bootstraps;
  std::optional<RecommendedLaw> recommended;  ///< none where there are too few groups
  std::optional<SeedReport> seeds;            ///< where settings were repeated
};

struct FitReport {
  FitSettings settings;
  ReadRuns read;
  FittedLaws fitted;
  JudgedLaws judged;
  PredictedOptima predicted;
  std::vector<std::string> warnings;
};

}  // namespace dfsweep::fit
