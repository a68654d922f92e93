/// The tables of a fit: what each row and column is, once for all formats.
#pragma once

#include <span>

#include "engine/fit/report/parameter_sets.hpp"
#include "engine/fit/tables/fit_table.hpp"

namespace dfsweep::fit {

/// Above the least loss: what is flat enough for the plateau that texts and pictures show.
inline constexpr double plateau_excess = 0.0025;

/// Names of the groups, by number.
[[nodiscard]] std::vector<std::string> group_names(const FitReport& report);

[[nodiscard]] FitTable groups_table(const FitReport& report);
/// A row per window and group.
[[nodiscard]] FitTable surfaces_table(const FitReport& report);
/// Below `surfaces`: how far from the optimum the loss is within an excess.
[[nodiscard]] FitTable plateaus_table(const FitReport& report);
/// A row per law and estimator, of those given.
[[nodiscard]] FitTable fits_table(const FitReport& report, std::vector<SubsetFit> fits);
/// What laws say and cost, a row per law and group, law after law; of cross-validations, a row per group left out.
[[nodiscard]] FitTable scores_table(const FitReport& report);
[[nodiscard]] FitTable validation_table(const FitReport& report);
/// Below the bootstraps: their coefficients, and their predictions for the subsets from `first_subset` on.
[[nodiscard]] FitTable bootstrap_coefficients_table(const FitReport& report);
[[nodiscard]] FitTable bootstrap_predictions_table(const FitReport& report, std::size_t first_subset = 0);
[[nodiscard]] FitTable parameter_set_coefficients_table(const ParameterSets& sets);
[[nodiscard]] FitTable parameter_set_predictions_table(const ParameterSets& sets, double sequence_length);
/// A row per asked scale. Below them: the same with other surfaces, and groups to run next.
[[nodiscard]] FitTable predictions_table(const RecommendedLaw& law, double sequence_length);
[[nodiscard]] FitTable sensitivity_table(std::span<const ScalePrediction> predictions);
[[nodiscard]] FitTable next_groups_table(std::span<const ScalePrediction> predictions);

/// "joint/unified/near0.25".
[[nodiscard]] std::string law_name(const FitReport& report, std::size_t subset, const hyperparameters::LawForm& form,
                                   const hyperparameters::FitMethod& method);
/// "lr = 20.2 N^-0.713 D^0.209".
[[nodiscard]] std::string law_text(std::string_view target, const hyperparameters::PowerLaw& law,
                                   hyperparameters::FeatureSet features);
/// What a law costs on the groups of a subset.
[[nodiscard]] hyperparameters::ScoreSummary summary_of(const ScoredLaw& law, const GroupSubset& subset);
/// Names of the coefficients of a replicate, as {target, parameter}.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> coefficient_names(const hyperparameters::LawForm& form);
[[nodiscard]] std::string_view name_of(hyperparameters::ResampleUnit unit);
[[nodiscard]] std::string_view name_of(hyperparameters::SurfaceShape shape);

}  // namespace dfsweep::fit
