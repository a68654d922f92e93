/// Scores of laws.
#include "engine/fit/report/make_report.hpp"

#include <algorithm>
#include <cmath>

#include "engine/parallel/threads.hpp"
#include "models/absent.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

/// Fewest groups that leave-one-out judges a law by.
constexpr std::size_t least_groups = 4;

GroupScore unscored(std::size_t group) {
  const Regret none{absent, absent, absent, 0};
  return {group, {absent, absent}, none, {absent, absent}};
}

GroupScore score_or_nothing(const ScoringGroups& groups, std::size_t group, LogPoint predicted) {
  if (!std::isfinite(predicted.x) || !std::isfinite(predicted.y)) return unscored(group);
  return score(groups, group, predicted);
}

/// Dense groups as points of the loss law; the target is the least loss or the surface's minimum.
/// Groups whose surface has a defect have no minimum of it.
std::vector<LossPoint> loss_points(const FitReport& report, const std::vector<std::size_t>& groups, bool of_surface) {
  return of_surface ? fitted_losses(report.read.selected, groups, report.fitted.surfaces.front().second)
                    : least_losses(report.read.selected, groups);
}

/// Largest count of points that the loss law is fitted to one by one; thousands of groups add nothing to five numbers.
constexpr std::size_t most_loss_points = 2000;

/// What was asked for; else decades of FLOP from the least group to a thousand times the greatest.
std::vector<double> budgets_of(const FitReport& report, std::span<const std::size_t> groups) {
  if (!report.settings.budgets.empty()) return report.settings.budgets;
  double least = INFINITY;
  double most = 0.0;
  for (const std::size_t g : groups) {
    const TrainingScale& scale = report.read.selected.groups[g].scale;
    const double flops = 6.0 * scale.parameters * scale.train_tokens;
    least = std::min(least, flops);
    most = std::max(most, flops);
  }
  constexpr double most_decades = 20.0;
  const double first = std::floor(std::log10(least));
  const double last = std::min(std::ceil(std::log10(most)) + 3.0, first + most_decades);
  std::vector<double> budgets;
  for (double power = first; power <= last; power += 1.0) budgets.push_back(std::pow(10.0, power));
  return budgets;
}

void find_frontier(FitReport& report, std::span<const std::size_t> groups) {
  const LossLawResult* law = report.fitted.frontier_law();
  if (law == nullptr) return;
  const ScaleRange range = range_of_groups(report, groups);
  for (const double flops : budgets_of(report, groups)) {
    const LossPoint optimum = compute_optimum(law->fit.law, flops);
    report.fitted.frontier.push_back(
        {flops, optimum, !range.contains({optimum.parameters, optimum.parameters, optimum.train_tokens, 0.0, 0.0})});
  }
}

}  // namespace

void score_laws(FitReport& report) {
  const std::size_t groups = report.read.selected.groups.size();
  const auto score_all = [&](auto predicted) {
    std::vector<GroupScore> scores;
    for (std::size_t g = 0; g < groups; ++g)
      scores.push_back(score_or_nothing(*report.judged.scoring, g, predicted(g)));
    return scores;
  };
  for (const PublishedLaw& law : published_laws())
    report.judged.published.push_back({std::string(law.name), score_all([&](std::size_t g) {
                                         return law.at(report.read.selected.groups[g].scale);
                                       })});
  constexpr double kept = 0.0025;
  constexpr PowerLaw shape{0.0, {-0.23, 0.0, -0.32, 0.0}};
  const PowerLaw bjorck = with_fitted_intercept(report.read.selected, shape, kept);
  const PublishedLaw& step_law = *find_published_law("published_mean");
  report.judged.published.push_back({"bjorck_fitted_prefactor_with_steplaw_B", score_all([&](std::size_t g) {
                                       const TrainingScale& scale = report.read.selected.groups[g].scale;
                                       return LogPoint{bjorck.at(features_of(scale)), step_law.at(scale).y};
                                     })});
  report.judged.published.push_back(
      {"oracle_quad1", score_all([&](std::size_t g) {
         const QuadraticSurface& surface = report.judged.scoring->surfaces[g];
         return surface.defect == FitDefect::none ? surface.optimum : LogPoint{absent, absent};
       })});
  report.judged.scored_fits.resize(report.fitted.fits.size());
  parallel_for(report.fitted.fits.size(), report.settings.threads, [&](std::size_t i) {
    const LawFit& fit = report.fitted.fits[i].fit;
    const ScalingLaw law = fit.law();
    report.judged.scored_fits[i] = {report.fitted.fits[i].name(report.fitted.subsets), score_all([&](std::size_t g) {
                                      return fit.defect == FitDefect::none
                                                 ? law.at(report.read.selected.groups[g].scale)
                                                 : LogPoint{absent, absent};
                                    })};
  });
}

void cross_validate_laws(FitReport& report) {
  struct Job {
    std::vector<GroupSplit> splits;
    std::size_t result;
  };
  std::vector<Job> jobs;
  const auto add = [&](std::size_t subset, const LawForm& form, const FitMethod& method, std::string name,
                       std::vector<GroupSplit> splits) {
    std::size_t fitted_groups = 0;
    for (const GroupSplit& split : splits) fitted_groups += split.train.size();
    report.judged.validation.push_back({subset, &form, method, std::move(name), fitted_groups, {}});
    jobs.push_back({std::move(splits), report.judged.validation.size() - 1});
  };
  for (std::size_t s = 0; s < report.fitted.subsets.size(); ++s) {
    const GroupSubset& subset = report.fitted.subsets[s];
    if (subset.groups.size() < least_groups) continue;
    const std::vector<GroupSplit> left_out = left_out_splits(subset.groups);
    const std::vector<GroupSplit> extrapolation = extrapolation_splits(report.read.selected, subset.groups);
    for (const FitMethod& method : report.fitted.methods)
      for (const LawForm& form : law_forms()) {
        add(s, form, method, left_out.front().name, left_out);
        for (const GroupSplit& split : extrapolation) add(s, form, method, split.name, {split});
        if (subset.name == "joint") add(s, form, method, "dense_to_moe", {dense_to_moe(report.read.selected)});
      }
  }
  parallel_for(jobs.size(), report.settings.threads, [&](std::size_t j) {
    CrossValidation& each = report.judged.validation[jobs[j].result];
    each.scores = cross_validate(report.read.selected, *report.judged.scoring, jobs[j].splits, *each.form, each.method);
  });
}

void fit_loss_laws(FitReport& report) {
  const auto dense = std::find_if(report.fitted.subsets.begin(), report.fitted.subsets.end(),
                                  [](const GroupSubset& subset) { return subset.name == "dense"; });
  if (dense == report.fitted.subsets.end() || dense->groups.size() > most_loss_points) return;
  double largest = 0.0;
  for (const std::size_t g : dense->groups)
    largest = std::max(largest, report.read.selected.groups[g].scale.parameters);
  std::vector<std::size_t> smaller;
  for (const std::size_t g : dense->groups)
    if (report.read.selected.groups[g].scale.parameters < largest) smaller.push_back(g);
  for (const bool of_surface : {false, true}) {
    const std::string target = of_surface ? "quad1_min" : "min_loss";
    report.fitted.loss_laws.push_back(
        {target, "dense", fit_loss_law(loss_points(report, dense->groups, of_surface)), {}});
    if (smaller.size() == dense->groups.size() || smaller.empty()) continue;
    LossLawResult without{
        target, "dense_without_largest_N", fit_loss_law(loss_points(report, smaller, of_surface)), {}};
    for (const std::size_t g : dense->groups) {
      const TrainingScale& scale = report.read.selected.groups[g].scale;
      if (scale.parameters < largest) continue;
      for (const LossPoint& observed : loss_points(report, {g}, of_surface))
        without.held_out.emplace_back(g,
                                      without.fit.law.at(scale.parameters, scale.train_tokens) / observed.loss - 1.0);
    }
    report.fitted.loss_laws.push_back(std::move(without));
  }
  find_frontier(report, dense->groups);
}

}  // namespace dfsweep::fit
