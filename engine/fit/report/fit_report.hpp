/// Everything that a fit tells: groups and their surfaces, laws by every estimator, scores, resamples, predictions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/fit/report/recommended_law.hpp"
#include "engine/fit/runs/loaded_runs.hpp"
#include "engine/fit/runs/streamed_runs.hpp"
#include "models/law_fits/fits/chinchilla.hpp"
#include "models/law_fits/fits/validation.hpp"
#include "models/law_fits/intervals/bootstrap.hpp"

namespace dfsweep::fit {

struct FitSettings {
  double threshold = 0.0025;  ///< bound on rel of the runs that `kept_rows` takes, and of the bootstrap
  std::uint64_t seed = 42;
  std::uint64_t replicates = 10000;
  double sequence_length = 2048.0;  ///< tokens; turns batches of tokens into sequences
  std::vector<hyperparameters::TrainingScale> predict;
  unsigned threads = 1;
};

struct SubsetFit {
  std::size_t subset = 0;
  hyperparameters::LawFit fit;
  /// "dense/step/near0.25"; the form and the method have names of their own.
  [[nodiscard]] std::string name(const std::vector<GroupSubset>& subsets) const;
};

/// One curvature for all groups of a subset.
struct SubsetSurface {
  std::size_t subset = 0;
  hyperparameters::FeatureSet features;
  double window = 0.0;
  hyperparameters::JointSurface surface;
};

/// A law at every group.
struct ScoredLaw {
  std::string name;
  std::vector<hyperparameters::GroupScore> scores;  ///< [group]
};

/// Laws fitted to some groups and judged on others.
struct CrossValidation {
  std::size_t subset = 0;
  const hyperparameters::LawForm* form = nullptr;
  hyperparameters::FitMethod method;
  std::string split;              ///< "leave_one_group_out", "folds", "dense_to_moe", "greatest_parameters", ...
  std::size_t fitted_groups = 0;  ///< summed over the fits: what their work is proportional to
  std::vector<hyperparameters::GroupScore> scores;
  /// Whether each group of the subset was judged by a law fitted without it: one by one, or by folds.
  [[nodiscard]] bool covers_every_group() const { return split == "leave_one_group_out" || split == "folds"; }
};

struct BootstrapPrediction {
  hyperparameters::TrainingScale scale;
  hyperparameters::EnsemblePrediction of_laws;
};

struct BootstrapResult {
  std::size_t subset = 0;
  const hyperparameters::LawForm* form = nullptr;
  hyperparameters::FitMethod method;
  hyperparameters::ResampleUnit unit = hyperparameters::ResampleUnit::row;
  std::size_t width = 0;
  std::vector<double> coefficients;                          ///< [replicate][coefficient]
  std::vector<hyperparameters::ReplicateSummary> summaries;  ///< [coefficient]
  std::vector<BootstrapPrediction> predictions;
  /// Fewer than were asked for where there are very many groups or rows.
  [[nodiscard]] std::uint64_t replicates() const { return width == 0 ? 0 : coefficients.size() / width; }
};

struct LossLawResult {
  std::string target;  ///< "min_loss", "quad1_min"
  std::string subset;  ///< "dense", "dense_without_largest_N"
  hyperparameters::LossLawFit fit;
  std::vector<std::pair<std::size_t, double>> held_out;  ///< group, predicted / observed - 1
};

/// What was read.
struct ReadRuns {
  std::vector<hyperparameters::Recipe> recipes;
  hyperparameters::SelectedRuns selected;
  std::optional<hyperparameters::GroupedRuns> grouped;  ///< not where runs are streamed
};

/// What was fitted to it.
struct FittedLaws {
  std::vector<GroupSubset> subsets;
  std::vector<hyperparameters::FitMethod> methods;
  std::vector<std::pair<double, std::vector<hyperparameters::QuadraticSurface>>> surfaces;  ///< window, [group]
  std::vector<SubsetFit> fits;
  std::vector<SubsetSurface> joint_surfaces;
  std::vector<LossLawResult> loss_laws;

  /// Null where there is none.
  [[nodiscard]] const SubsetFit* find_fit(std::string_view subset, std::string_view form,
                                          const hyperparameters::FitMethod& method) const;
};

/// What laws cost on the groups. Empty where runs are streamed.
struct JudgedLaws {
  std::optional<hyperparameters::ScoringGroups> scoring;
  std::vector<ScoredLaw> published;
  std::vector<ScoredLaw> scored_fits;  ///< [fit]
  std::vector<CrossValidation> validation;
};

/// What laws say at other scales, and how certain that is.
struct PredictedOptima {
  std::vector<BootstrapResult> bootstraps;
  std::optional<RecommendedLaw> recommended;  ///< none where there are too few groups
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
