/// A fit as JSON: all numbers with full precision, what belongs to groups as lists in group order.
#pragma once

#include "engine/fit/report/fit_report.hpp"
#include "engine/fit/report/parameter_sets.hpp"
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
[[nodiscard]] Json recommended_json(const FitReport& report);  ///< null without a recommended law
[[nodiscard]] JsonObject score_summary_json(const law_fits::ScoreSummary& summary);

/// A power law with the features of `features` only: intercept, lnN, lnNa, lnD, lnC.
[[nodiscard]] JsonObject power_law_json(const PowerLaw& law, FeatureSet features);

[[nodiscard]] Json parameter_sets_json(const ParameterSets& sets, double sequence_length);

}  // namespace dfsweep::fit
