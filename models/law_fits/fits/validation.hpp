/// Laws judged on groups that they were not fitted to.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/law_fits/fits/fit.hpp"
#include "models/law_fits/fits/regret.hpp"

namespace dfsweep::hyperparameters {

/// Groups to fit to and groups to judge on, ascending.
struct GroupSplit {
  std::string name;
  std::vector<std::size_t> train;
  std::vector<std::size_t> test;
};

/// One split for each of `groups`.
[[nodiscard]] std::vector<GroupSplit> leave_one_group_out(std::span<const std::size_t> groups);

/// Most groups that are left out one by one.
inline constexpr std::size_t most_left_out_alone = 64;
/// Folds that more groups are left out in. Ten folds with a tenth of the groups each are the usual choice.
inline constexpr std::size_t fold_count = 10;
/// Splits that test each of `groups` exactly once: leave_one_group_out up to most_left_out_alone groups, else "folds"
/// of groups drawn at random, the same ones every time. The work of fitting to all splits is linear in the groups.
[[nodiscard]] std::vector<GroupSplit> left_out_splits(std::span<const std::size_t> groups);
/// Fitted to dense groups, judged on MoE groups.
[[nodiscard]] GroupSplit dense_to_moe(const SelectedRuns& runs);
/// Extrapolation: within `groups`, those of the greatest N, of the greatest D for their model, of the greatest compute
/// (a third of the groups) are left out in turn.
[[nodiscard]] std::vector<GroupSplit> extrapolation_splits(const SelectedRuns& runs,
                                                           std::span<const std::size_t> groups);

/// What scoring needs of every group, [group].
struct ScoringGroups {
  std::vector<GroupGrid> grids;
  std::vector<QuadraticSurface> surfaces;  ///< at a window of 1 %
};
[[nodiscard]] ScoringGroups scoring_groups(const GroupedRuns& grouped, const SelectedRuns& runs);

struct GroupScore {
  std::size_t group = 0;
  LogPoint predicted;
  Regret regret;
  LogPoint error;  ///< predicted minus the optimum of the group's own surface; NaN where that has a defect
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

}  // namespace dfsweep::hyperparameters
