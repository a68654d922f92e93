/// A fit as JSON: all numbers with full precision, what belongs to groups as lists in group order.
#pragma once

#include "engine/fit/report/fit_report.hpp"
#include "io/json.hpp"

namespace dfsweep::fit {

/// Where the runs of a report came from.
struct FitInput {
  const RunInput& input;
  const RunFindings& findings;
};

[[nodiscard]] Json fit_json(const FitReport& report, const FitInput& from);

/// Parts of it.
[[nodiscard]] Json input_json(const FitReport& report, const FitInput& from);
[[nodiscard]] Json surfaces_json(const FitReport& report);
[[nodiscard]] Json scores_json(const FitReport& report);
[[nodiscard]] Json validation_json(const FitReport& report);
[[nodiscard]] Json bootstraps_json(const FitReport& report);
[[nodiscard]] Json loss_laws_json(const FitReport& report);
[[nodiscard]] Json recommended_json(const FitReport& report);  ///< null where there is none
[[nodiscard]] JsonObject score_summary_json(const hyperparameters::ScoreSummary& summary);

/// A power law with the features of `features` only: intercept, lnN, lnNa, lnD, lnC.
[[nodiscard]] JsonObject power_law_json(const hyperparameters::PowerLaw& law, hyperparameters::FeatureSet features);
/// Names of the coefficients of a replicate, as {target, parameter}.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> coefficient_names(const hyperparameters::LawForm& form);
[[nodiscard]] JsonObject replicate_summary_json(const hyperparameters::ReplicateSummary& summary);
/// What an ensemble of laws says at a scale; percentiles are of the replicates.
[[nodiscard]] JsonObject ensemble_json(const hyperparameters::TrainingScale& scale,
                                       const hyperparameters::EnsemblePrediction& laws, double sequence_length);
/// "parameters", "activated_parameters", "train_tokens".
[[nodiscard]] JsonObject scale_json(const hyperparameters::TrainingScale& scale);

}  // namespace dfsweep::fit
