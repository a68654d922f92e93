/// Validation of laws on left-out groups.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/law_fits/fits/fit.hpp"
#include "models/law_fits/fits/regret.hpp"

namespace dfsweep::law_fits {

/// Training groups and test groups, ascending.
struct GroupSplit {
  std::string name;
  std::vector<std::size_t> train;
  std::vector<std::size_t> test;
};

/// Leave-one-out splits, one for each of `groups`.
[[nodiscard]] std::vector<GroupSplit> leave_one_group_out(std::span<const std::size_t> groups);

/// Maximum number of groups for leave-one-out.
inline constexpr std::size_t most_left_out_alone = 64;
/// Number of folds for more groups; ten-fold cross-validation is the usual choice.
inline constexpr std::size_t fold_count = 10;
/// Splits that test each of `groups` exactly once: leave_one_group_out up to most_left_out_alone groups, otherwise
/// fixed pseudo-random folds. The work for all splits is linear in the number of groups.
[[nodiscard]] std::vector<GroupSplit> left_out_splits(std::span<const std::size_t> groups);
/// Split that trains on dense groups and tests on MoE groups.
[[nodiscard]] GroupSplit dense_to_moe(const SelectedRuns& runs);
/// Extrapolation splits: the test sets are the groups of the largest N, of the largest D of each model, and of the
/// largest compute (a third of the groups).
[[nodiscard]] std::vector<GroupSplit> extrapolation_splits(const SelectedRuns& runs,
                                                           std::span<const std::size_t> groups);

/// [group] Data of every group for scoring.
struct ScoringGroups {
  std::vector<GroupGrid> grids;
  std::vector<QuadraticSurface> surfaces;  ///< surfaces at a window of 1 %
};
[[nodiscard]] ScoringGroups scoring_groups(const GroupedRuns& grouped, const SelectedRuns& runs);

struct GroupScore {
  std::size_t group = 0;
  LogPoint predicted;
  Regret regret;
  LogPoint error;  ///< prediction minus optimum of the surface of the group; NaN where it has a defect
};
[[nodiscard]] GroupScore score(const ScoringGroups& groups, std::size_t group, LogPoint predicted);

/// Fits to the training groups of each split and scores its test groups; splits whose fit has a defect give NaN.
[[nodiscard]] std::vector<GroupScore> cross_validate(const SelectedRuns& runs, const ScoringGroups& groups,
                                                     std::span<const GroupSplit> splits, const LawForm& form,
                                                     const FitMethod& method);

struct ScoreSummary {
  std::size_t groups = 0;
  double nearest_mean = 0.0, nearest_max = 0.0;
  double bilinear_mean = 0.0, bilinear_max = 0.0;
  double quadratic_mean = 0.0, quadratic_max = 0.0;
  double rms_error_x = 0.0, rms_error_y = 0.0;
};
[[nodiscard]] ScoreSummary summarize(std::span<const GroupScore> scores);

}  // namespace dfsweep::law_fits
