#include "models/law_fits/fits/validation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "models/absent.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::law_fits {

namespace {

/// Splits groups: those with `tested` are the test set, the others the training set.
template <typename Tested>
GroupSplit split_by(std::string name, std::span<const std::size_t> groups, Tested tested) {
  GroupSplit split{std::move(name), {}, {}};
  for (const std::size_t g : groups) (tested(g) ? split.test : split.train).push_back(g);
  return split;
}

/// Fold of each of `count` groups: a random permutation (Fisher and Yates) dealt to the folds in turn. Sizes differ by
/// at most one, and folds do not correlate with a regular grid of N and D.
std::vector<std::size_t> random_folds(std::size_t count) {
  constexpr std::uint64_t seed = 42;
  const CounterRandom random(seed);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.index(0, i, i)]);
  std::vector<std::size_t> fold(count);
  for (std::size_t i = 0; i < count; ++i) fold[order[i]] = i % fold_count;
  return fold;
}

double compute_of(const SelectedGroup& group) {
  return group.scale.flops_per_token * group.scale.train_tokens;
}

}  // namespace

std::vector<GroupSplit> leave_one_group_out(std::span<const std::size_t> groups) {
  std::vector<GroupSplit> splits;
  splits.reserve(groups.size());
  for (const std::size_t left_out : groups)
    splits.push_back(split_by("leave_one_group_out", groups, [&](std::size_t g) { return g == left_out; }));
  return splits;
}

std::vector<GroupSplit> left_out_splits(std::span<const std::size_t> groups) {
  if (groups.size() <= most_left_out_alone) return leave_one_group_out(groups);
  const std::vector<std::size_t> fold = random_folds(groups.size());
  std::vector<GroupSplit> splits(fold_count, {"folds", {}, {}});
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t f = 0; f < fold_count; ++f) (f == fold[i] ? splits[f].test : splits[f].train).push_back(groups[i]);
  return splits;
}

GroupSplit dense_to_moe(const SelectedRuns& runs) {
  std::vector<std::size_t> all;
  for (std::size_t g = 0; g < runs.groups.size(); ++g) all.push_back(g);
  return split_by("dense_to_moe", all, [&](std::size_t g) { return runs.groups[g].key.family == RunFamily::moe; });
}

std::vector<GroupSplit> extrapolation_splits(const SelectedRuns& runs, std::span<const std::size_t> groups) {
  if (groups.empty()) return {};
  double greatest = 0.0;
  std::vector<double> computes;
  std::map<std::pair<std::size_t, double>, double> longest;  // largest D for each recipe and N
  for (const std::size_t g : groups) {
    const GroupKey& key = runs.groups[g].key;
    greatest = std::max(greatest, key.parameters);
    double& tokens = longest[{key.recipe, key.parameters}];
    tokens = std::max(tokens, key.train_tokens);
    computes.push_back(compute_of(runs.groups[g]));
  }
  std::sort(computes.begin(), computes.end());
  const double upper_third = computes[2 * computes.size() / 3];
  const auto longest_of_its_model = [&](std::size_t g) {
    const GroupKey& key = runs.groups[g].key;
    return key.train_tokens == longest.at({key.recipe, key.parameters});
  };
  return {
      split_by("greatest_parameters", groups, [&](std::size_t g) { return runs.groups[g].key.parameters == greatest; }),
      split_by("greatest_tokens", groups, longest_of_its_model),
      split_by("greatest_compute", groups, [&](std::size_t g) { return compute_of(runs.groups[g]) >= upper_third; })};
}

ScoringGroups scoring_groups(const GroupedRuns& grouped, const SelectedRuns& runs) {
  ScoringGroups groups;
  groups.grids.reserve(grouped.groups.size());
  for (std::size_t g = 0; g < grouped.groups.size(); ++g) groups.grids.emplace_back(grouped, g);
  groups.surfaces = fit_quadratics(runs, 0.01);
  return groups;
}

GroupScore score(const ScoringGroups& groups, std::size_t group, LogPoint predicted) {
  const QuadraticSurface& surface = groups.surfaces[group];
  GroupScore scored{group, predicted, regret_at(groups.grids[group], surface, predicted), {absent, absent}};
  if (surface.defect == FitDefect::none)
    scored.error = {predicted.x - surface.optimum.x, predicted.y - surface.optimum.y};
  return scored;
}

std::vector<GroupScore> cross_validate(const SelectedRuns& runs, const ScoringGroups& groups,
                                       std::span<const GroupSplit> splits, const LawForm& form,
                                       const FitMethod& method) {
  std::vector<GroupScore> scores;
  for (const GroupSplit& split : splits) {
    const LawFit fit = fit_law(runs, split.train, form, method);
    for (const std::size_t g : split.test) {
      const bool fitted = fit.defect == FitDefect::none;
      scores.push_back(score(groups, g, fitted ? fit.law().at(runs.groups[g].scale) : LogPoint{absent, absent}));
    }
  }
  return scores;
}

ScoreSummary summarize(std::span<const GroupScore> scores) {
  ScoreSummary summary;
  summary.groups = scores.size();
  const auto count = static_cast<double>(scores.size());
  for (const GroupScore& each : scores) {
    summary.nearest_mean += each.regret.nearest / count;
    summary.bilinear_mean += each.regret.bilinear / count;
    summary.quadratic_mean += each.regret.quadratic / count;
    summary.nearest_max = std::max(summary.nearest_max, each.regret.nearest);
    summary.bilinear_max = std::max(summary.bilinear_max, each.regret.bilinear);
    summary.quadratic_max = std::max(summary.quadratic_max, each.regret.quadratic);
    summary.rms_error_x += each.error.x * each.error.x / count;
    summary.rms_error_y += each.error.y * each.error.y / count;
  }
  summary.rms_error_x = std::sqrt(summary.rms_error_x);
  summary.rms_error_y = std::sqrt(summary.rms_error_y);
  return summary;
}

}  // namespace dfsweep::law_fits
