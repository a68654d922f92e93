/// Making of reports: selection, surfaces, laws, scores, resamples, the recommended law and warnings, in this order.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/fit/report/fit_report.hpp"

namespace dfsweep::fit {

/// Windows on rel that the sums are made for: those of the models and the threshold, ascending.
[[nodiscard]] std::vector<double> windows_of(const FitSettings& settings);

/// Of runs in memory: all of it. Of streamed runs: what sums per group allow, hence neither scores nor row resamples.
[[nodiscard]] FitReport report_of(const LoadedRuns& loaded, const FitSettings& settings);
[[nodiscard]] FitReport report_of(StreamedRuns streamed, const FitSettings& settings);

/// The parts of it. Published laws, each group's own optimum ("oracle_quad1") and all fitted laws, at every group. Pre:
/// runs in memory.
void score_laws(FitReport& report);

/// Leave one group out for every law; dense to MoE and extrapolation in N, D and compute. Pre: runs in memory.
void cross_validate_laws(FitReport& report);

/// L(N, D) through the least losses of the dense groups and through the minima of their surfaces, with all of them and
/// without those of the largest N.
void fit_loss_laws(FitReport& report);

/// Rows and groups resampled for kept_rows at the threshold of the settings; groups for the joint surface. Replicates
/// are shared by the threads and have the same bits for any number of them.
void bootstrap_laws(FitReport& report);

/// Of N, Na and D. Pre: `groups` is not empty.
[[nodiscard]] ScaleRange range_of_groups(const FitReport& report, std::span<const std::size_t> groups);

/// None where there are fewer than five groups or no candidate can be fitted. Where runs are not known one by one,
/// nothing is left out: the unified form by kept runs at the threshold stands without candidates, and only where
/// predictions are asked for.
[[nodiscard]] std::optional<RecommendedLaw> recommended_law(const FitReport& report);

/// What other seeds do to the loss, and how much of the errors of the recommended law that is. None without repeats.
/// Pre: runs in memory; `repeats`: those that are medians of several.
[[nodiscard]] std::optional<SeedReport> seed_report(const FitReport& report,
                                                    std::span<const law_fits::SeedRepeats> repeats);
/// The same of streamed runs, each of which counts as a run of its own.
[[nodiscard]] std::optional<SeedReport> seed_report(const FitReport& report, const law_fits::SeedSums& sums);

/// What limits how far the results can be trusted.
[[nodiscard]] std::vector<std::string> warnings_of(const FitReport& report);

}  // namespace dfsweep::fit
