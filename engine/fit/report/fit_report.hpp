/// Everything that a fit tells: groups and their surfaces, laws by every estimator, scores, resamples, predictions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/fit/runs/loaded_runs.hpp"
#include "engine/fit/runs/streamed_runs.hpp"
#include "models/hyperparameters/fits/chinchilla.hpp"
#include "models/hyperparameters/fits/validation.hpp"
#include "models/hyperparameters/intervals/bootstrap.hpp"

namespace dfsweep::fit {

struct FitSettings {
  double threshold = 0.0025;  ///< bound on rel of the runs that `kept_rows` takes, and of the bootstrap
  std::uint64_t seed = 42;
  std::uint64_t replicates = 10000;
  double sequence_length = 2048.0;  ///< tokens; turns batches of tokens into sequences
  std::vector<hyperparameters::TrainingScale> predict;
  unsigned threads = 1;
};

/// Groups that laws are fitted to: "dense", "moe", and "joint" where there are both.
struct GroupSubset {
  std::string name;
  std::vector<std::size_t> groups;  ///< ascending
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
  std::string split;  ///< "leave_one_group_out", "dense_to_moe", "largest_parameters", ...
  std::vector<hyperparameters::GroupScore> scores;
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

struct RecommendedLaw;

struct FitReport {
  FitSettings settings;
  std::vector<hyperparameters::Recipe> recipes;
  hyperparameters::SelectedRuns selected;
  std::optional<hyperparameters::GroupedRuns> grouped;  ///< not where runs are streamed
  std::optional<hyperparameters::ScoringGroups> scoring;
  std::vector<std::pair<double, std::vector<hyperparameters::QuadraticSurface>>> surfaces;  ///< window, [group]
  std::vector<hyperparameters::Unimodality> unimodality;                                    ///< [group]
  std::vector<GroupSubset> subsets;
  std::vector<hyperparameters::FitMethod> methods;
  std::vector<SubsetFit> fits;
  std::vector<SubsetSurface> joint_surfaces;
  std::vector<ScoredLaw> published;
  std::vector<ScoredLaw> scored_fits;  ///< [fit]
  std::vector<CrossValidation> validation;
  std::vector<BootstrapResult> bootstraps;
  std::vector<LossLawResult> loss_laws;
  std::shared_ptr<const RecommendedLaw> recommended;  ///< null where there are too few groups, or too many
  std::vector<std::string> warnings;

  [[nodiscard]] const SubsetFit* find_fit(std::string_view subset, std::string_view form,
                                          const hyperparameters::FitMethod& method) const;
};

}  // namespace dfsweep::fit
