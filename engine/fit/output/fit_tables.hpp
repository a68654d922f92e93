/// The tables of a fit: what each row and column is, once for all formats.
#pragma once

#include <span>

#include "engine/fit/output/fit_table.hpp"
#include "engine/fit/report/parameter_sets.hpp"

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

}  // namespace dfsweep::fit
