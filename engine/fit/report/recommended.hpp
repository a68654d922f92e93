/// Part of a fit's report: the making of the recommended law.
#pragma once

#include <optional>
#include <span>

#include "engine/fit/report/fit_report.hpp"

namespace dfsweep::fit {

/// Of N, Na and D. Pre: `groups` is not empty.
[[nodiscard]] hyperparameters::ScaleRange range_of_groups(const FitReport& report, std::span<const std::size_t> groups);

/// None where there are fewer than five groups or no candidate can be fitted. Where runs are not known one by one,
/// nothing is left out: the unified form by kept runs at the threshold stands without candidates, and only where
/// predictions are asked for.
[[nodiscard]] std::optional<RecommendedLaw> recommended_law(const FitReport& report);

}  // namespace dfsweep::fit
