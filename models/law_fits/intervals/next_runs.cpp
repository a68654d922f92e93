#include "models/law_fits/intervals/next_runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace dfsweep::law_fits {

namespace {

/// Median variance of the located optima of a law. Pre: at least one group is located.
double median_variance(const ScatteredLaw& law, LawTarget target) {
  std::vector<double> variances;
  for (const LocatedOptimum& located : law.surface.groups)
    if (located.defect == FitDefect::none)
      variances.push_back(target == LawTarget::learning_rate ? located.covariance.xx : located.covariance.yy);
  const auto middle = variances.begin() + static_cast<std::ptrdiff_t>(variances.size() / 2);
  std::nth_element(variances.begin(), middle, variances.end());
  return *middle;
}

double run_flop(const TrainingScale& scale) {
  const double per_token = scale.flops_per_token > 0.0 ? scale.flops_per_token : 6.0 * scale.activated_parameters;
  return per_token * scale.train_tokens;
}

}  // namespace

std::vector<TrainingScale> next_group_choices(const SelectedRuns& runs, std::span<const std::size_t> groups) {
  if (groups.empty()) return {};
  std::set<std::pair<double, double>> models;  // N, Na
  double least_tokens = std::numeric_limits<double>::infinity();
  double most_tokens = 0.0;
  double greatest_dense = 0.0;
  for (const std::size_t g : groups) {
    const GroupKey& key = runs.groups[g].key;
    models.insert({key.parameters, key.activated_parameters});
    least_tokens = std::min(least_tokens, key.train_tokens);
    most_tokens = std::max(most_tokens, key.train_tokens);
    if (key.parameters == key.activated_parameters) greatest_dense = std::max(greatest_dense, key.parameters);
  }
  if (greatest_dense > 0.0)
    for (const double factor : {2.0, 4.0}) models.insert({factor * greatest_dense, factor * greatest_dense});
  std::vector<TrainingScale> choices;
  for (const auto& [parameters, activated] : models)
    for (double tokens = least_tokens; tokens <= 4.0 * most_tokens; tokens *= 2.0)
      choices.push_back({parameters, activated, tokens, 0.0, 0.0});
  return choices;
}

std::vector<NextGroup> rank_next_groups(const ScatteredLaw& law, const TrainingScale& target,
                                        std::span<const TrainingScale> choices) {
  if (law.defect != FitDefect::none) return {};
  const double lr_variance = median_variance(law, LawTarget::learning_rate);
  const double batch_variance = median_variance(law, LawTarget::batch_tokens);
  std::vector<NextGroup> ranked;
  for (const TrainingScale& choice : choices) {
    NextGroup next;
    next.scale = choice;
    next.width_ratio = {std::sqrt(variance_ratio(law.learning_rate, target, choice, lr_variance)),
                        std::sqrt(variance_ratio(law.batch_tokens, target, choice, batch_variance))};
    next.mean_width_ratio = std::sqrt(next.width_ratio[0] * next.width_ratio[1]);
    next.run_flop = run_flop(choice);
    ranked.push_back(next);
  }
  std::sort(ranked.begin(), ranked.end(), [](const NextGroup& a, const NextGroup& b) {
    return a.mean_width_ratio != b.mean_width_ratio ? a.mean_width_ratio < b.mean_width_ratio : a.run_flop < b.run_flop;
  });
  return ranked;
}

}  // namespace dfsweep::law_fits
