#include "engine/fit/report/make_report.hpp"

#include <algorithm>
#include <iterator>

#include "engine/parallel/threads.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

constexpr double surface_windows[] = {0.01, 0.02, 0.04};
constexpr double joint_window = 0.01;
constexpr double single_runs_below = 0.08;  ///< twice the widest window, for fits that choose their runs themselves

std::vector<GroupSubset> subsets_of(const SelectedRuns& runs) {
  GroupSubset dense{"dense", {}};
  GroupSubset moe{"moe", {}};
  GroupSubset joint{"joint", {}};
  for (std::size_t g = 0; g < runs.groups.size(); ++g) {
    (runs.groups[g].key.family == RunFamily::dense ? dense : moe).groups.push_back(g);
    joint.groups.push_back(g);
  }
  std::vector<GroupSubset> subsets;
  const bool has_both = !dense.groups.empty() && !moe.groups.empty();
  if (!dense.groups.empty()) subsets.push_back(std::move(dense));
  if (!moe.groups.empty()) subsets.push_back(std::move(moe));
  if (has_both) subsets.push_back(std::move(joint));
  return subsets;
}

std::vector<FitMethod> methods_of(const FitSettings& settings, bool has_single_runs) {
  std::vector<FitMethod> methods;
  for (const FitMethod& method : fit_methods())
    if (has_single_runs || method.estimator != LawEstimator::robust_surface) methods.push_back(method);
  const FitMethod asked{LawEstimator::kept_rows, settings.threshold};
  if (std::find(methods.begin(), methods.end(), asked) == methods.end()) methods.push_back(asked);
  return methods;
}

void fit_laws(FitReport& report) {
  for (std::size_t s = 0; s < report.fitted.subsets.size(); ++s)
    for (const FitMethod& method : report.fitted.methods)
      for (const LawForm& form : law_forms())
        report.fitted.fits.push_back({s, {form, method, FitDefect::none, {}, {}}});
  parallel_for(report.fitted.fits.size(), report.settings.threads, [&report](std::size_t i) {
    SubsetFit& each = report.fitted.fits[i];
    each.fit = fit_law(report.read.selected, report.fitted.subsets[each.subset].groups, each.fit.form, each.fit.method);
  });
}

void fit_joint_surfaces(FitReport& report) {
  using F = LawFeature;
  for (std::size_t s = 0; s < report.fitted.subsets.size(); ++s)
    for (const FeatureSet& features : {FeatureSet{F::parameters, F::tokens}, FeatureSet{F::activated, F::tokens},
                                       FeatureSet{F::parameters, F::activated, F::tokens}})
      report.fitted.joint_surfaces.push_back(
          {s, features, joint_window,
           fit_joint_linear(joint_moments(report.read.selected, report.fitted.subsets[s].groups,
                                          report.read.selected.window(joint_window)),
                            features)});
}

void fit_curvatures(FitReport& report) {
  for (std::size_t s = 0; s < report.fitted.subsets.size(); ++s)
    report.fitted.curvatures.push_back(
        {s, fit_common_curvature(report.read.selected, report.fitted.subsets[s].groups)});
}

void fit_surfaces_and_laws(FitReport& report) {
  report.fitted.subsets = subsets_of(report.read.selected);
  report.fitted.methods = methods_of(report.settings, report.read.grouped.has_value());
  for (const double window : surface_windows)
    report.fitted.surfaces.emplace_back(window, fit_quadratics(report.read.selected, window));
  fit_laws(report);
  fit_joint_surfaces(report);
  fit_curvatures(report);
}

/// What follows from the surfaces alone, whether runs were kept or streamed.
void conclude(FitReport& report) {
  fit_loss_laws(report);
  bootstrap_laws(report);
  report.predicted.recommended = recommended_law(report);
  report.warnings = warnings_of(report);
}

}  // namespace

std::vector<double> windows_of(const FitSettings& settings) {
  std::vector<double> windows(std::begin(fit_windows), std::end(fit_windows));
  windows.push_back(settings.threshold);
  std::sort(windows.begin(), windows.end());
  windows.erase(std::unique(windows.begin(), windows.end()), windows.end());
  return windows;
}

FitReport report_of(const LoadedRuns& loaded, const FitSettings& settings) {
  FitReport report;
  report.settings = settings;
  report.read.recipes = loaded.runs.recipes;
  report.read.grouped = group_runs(loaded.runs);
  report.read.selected =
      select_runs(*report.read.grouped, windows_of(settings), std::max(single_runs_below, settings.threshold));
  fit_surfaces_and_laws(report);
  if (!loaded.step_time.empty()) report.fitted.batch_times = batch_times(*report.read.grouped, loaded.step_time);
  report.judged.scoring = scoring_groups(*report.read.grouped, report.read.selected);
  score_laws(report);
  cross_validate_laws(report);
  conclude(report);
  report.predicted.seeds = seed_report(report, loaded.repeats);
  return report;
}

FitReport report_of(StreamedRuns streamed, const FitSettings& settings) {
  FitReport report;
  report.settings = settings;
  report.read.recipes = std::move(streamed.recipes);
  report.read.selected = std::move(streamed.selected);
  fit_surfaces_and_laws(report);
  conclude(report);
  report.predicted.seeds = seed_report(report, streamed.seeds);
  return report;
}

}  // namespace dfsweep::fit
