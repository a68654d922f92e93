/// The tables of a fit: what each row and column is, once for all formats.
#pragma once

#include <span>

#include "engine/fit/report/fit_report.hpp"
#include "engine/fit/report/parameter_sets.hpp"
#include "engine/tables/rendering.hpp"

namespace dfsweep::fit {

/// Above the least loss: what is flat enough for the plateau that texts and pictures show.
inline constexpr double plateau_excess = 0.0025;

/// Names of the groups, by number.
[[nodiscard]] std::vector<std::string> group_names(const FitReport& report);

[[nodiscard]] DataTable groups_table(const FitReport& report);
/// A row per window and group.
[[nodiscard]] DataTable surfaces_table(const FitReport& report);
/// Below `surfaces`: how far from the optimum the loss is within an excess.
[[nodiscard]] DataTable plateaus_table(const FitReport& report);
/// A row per law and estimator, of those given.
[[nodiscard]] DataTable fits_table(const FitReport& report, std::vector<SubsetFit> fits);
/// What laws say and cost, a row per law and group, law after law; of cross-validations, a row per group left out.
[[nodiscard]] DataTable scores_table(const FitReport& report);
[[nodiscard]] DataTable validation_table(const FitReport& report);
/// Below the bootstraps: their coefficients, and their predictions for the subsets from `first_subset` on.
[[nodiscard]] DataTable bootstrap_coefficients_table(const FitReport& report);
[[nodiscard]] DataTable bootstrap_predictions_table(const FitReport& report, std::size_t first_subset = 0);
[[nodiscard]] DataTable parameter_set_coefficients_table(const ParameterSets& sets);
[[nodiscard]] DataTable parameter_set_predictions_table(const ParameterSets& sets, double sequence_length);
/// A row per budget: the model and tokens of the least loss.
[[nodiscard]] DataTable frontier_table(const FitReport& report);
/// A row per group and batch with measured steps; of each group, its batch of the least loss and its fastest one.
[[nodiscard]] DataTable batch_times_table(const FitReport& report);
[[nodiscard]] DataTable fastest_batches_table(const FitReport& report);
/// Of settings that were repeated: the noise between seeds, near the optimum and anywhere; and a row with what it
/// explains, where the recommended law has an interval.
[[nodiscard]] DataTable seed_noise_table(const FitReport& report);
[[nodiscard]] DataTable seed_comparison_table(const FitReport& report);
/// A row per asked scale. Below them: the same with other surfaces, and groups to run next.
[[nodiscard]] DataTable predictions_table(const RecommendedLaw& law, double sequence_length);
[[nodiscard]] DataTable sensitivity_table(std::span<const ScalePrediction> predictions);
[[nodiscard]] DataTable next_groups_table(std::span<const ScalePrediction> predictions);

/// "joint/unified/near0.25".
[[nodiscard]] std::string law_name(const FitReport& report, std::size_t subset, const LawForm& form,
                                   const law_fits::FitMethod& method);
/// "lr = 20.2 N^-0.713 D^0.209".
[[nodiscard]] std::string law_text(std::string_view target, const PowerLaw& law, FeatureSet features);
/// What a law costs on the groups of a subset.
[[nodiscard]] law_fits::ScoreSummary summary_of(const ScoredLaw& law, const GroupSubset& subset);
/// Names of the coefficients of a replicate, as {target, parameter}.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> coefficient_names(const LawForm& form);
[[nodiscard]] std::string_view name_of(law_fits::ResampleUnit unit);
[[nodiscard]] std::string_view name_of(law_fits::SurfaceShape shape);

/// N, Na and D of a row.
template <class Row, class Scale>
void add_scale(TableOf<Row>& table, Scale scale) {
  table.add({"parameters"}, along(scale, &TrainingScale::parameters))
      .add({"activated_parameters"}, along(scale, &TrainingScale::activated_parameters))
      .add({"train_tokens", "tokens"}, along(scale, &TrainingScale::train_tokens));
}

}  // namespace dfsweep::fit
