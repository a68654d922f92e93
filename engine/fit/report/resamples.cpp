/// Bootstraps by ranges of replicates.
#include "engine/fit/report/make_report.hpp"

#include <algorithm>

#include "engine/parallel/threads.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

constexpr std::string_view resampled_forms[] = {"step", "step_full", "unified"};
constexpr std::size_t replicates_at_once = 512;
/// Draws of a bootstrap, and groups that it fits again, beyond which it makes fewer replicates; each is about a second.
constexpr std::uint64_t most_draws = 100'000'000;
constexpr std::uint64_t most_refitted_groups = 5'000'000;
constexpr std::uint64_t least_replicates = 200;

/// Replicates that are affordable; 0 where these would be too few to be of use.
std::uint64_t affordable(std::uint64_t asked, std::uint64_t items, LawEstimator estimator) {
  const std::uint64_t most = (estimator == LawEstimator::joint_surface ? most_refitted_groups : most_draws) /
                             std::max<std::uint64_t>(items, 1);
  if (asked <= most) return asked;
  return most < least_replicates ? 0 : most;
}

void run(const FitReport& report, BootstrapResult& result) {
  const FitSettings& settings = report.settings;
  const LawBootstrap bootstrap(report.read.selected, report.fitted.subsets[result.subset].groups, *result.form,
                               result.method, result.unit, settings.seed);
  const std::size_t width = bootstrap.width();
  const std::uint64_t replicates = affordable(settings.replicates, bootstrap.items(), result.method.estimator);
  result.width = width;
  result.coefficients.resize(replicates * width);
  const std::size_t ranges = (replicates + replicates_at_once - 1) / replicates_at_once;
  parallel_for(ranges, settings.threads, [&](std::size_t r) {
    const std::size_t first = r * replicates_at_once;
    const std::size_t count = std::min<std::size_t>(replicates_at_once, replicates - first);
    bootstrap.run(first, std::span(result.coefficients).subspan(first * width, count * width));
  });
  std::vector<double> column(replicates);
  for (std::size_t c = 0; c < width; ++c) {
    for (std::size_t r = 0; r < column.size(); ++r) column[r] = result.coefficients[r * width + c];
    result.summaries.push_back(summarize(column));
  }
  std::vector<ScalingLaw> laws;
  for (std::size_t r = 0; r < column.size(); ++r)
    laws.push_back(bootstrap.law(std::span(result.coefficients).subspan(r * width, width)));
  for (const TrainingScale& scale : settings.predict)
    result.predictions.push_back({scale, predict_ensemble(laws, scale)});
}

}  // namespace

void bootstrap_laws(FitReport& report) {
  if (report.settings.replicates == 0) return;
  const FitMethod kept_rows{LawEstimator::kept_rows, report.settings.threshold};
  const FitMethod joint_surface{LawEstimator::joint_surface, 0.01};
  const auto is_fitted = [&](std::size_t subset, std::string_view form, const FitMethod& method) {
    const SubsetFit* fit = report.fitted.find_fit(report.fitted.subsets[subset].name, form, method);
    return fit != nullptr && fit->fit.defect == FitDefect::none;
  };
  for (std::size_t s = 0; s < report.fitted.subsets.size(); ++s)
    for (const std::string_view form : resampled_forms) {
      if (!is_fitted(s, form, kept_rows)) continue;
      if (report.read.grouped)
        report.predicted.bootstraps.push_back({s, find_law_form(form), kept_rows, ResampleUnit::row, 0, {}, {}, {}});
      report.predicted.bootstraps.push_back({s, find_law_form(form), kept_rows, ResampleUnit::group, 0, {}, {}, {}});
      if (is_fitted(s, form, joint_surface) && form == "step_full")
        report.predicted.bootstraps.push_back(
            {s, find_law_form(form), joint_surface, ResampleUnit::group, 0, {}, {}, {}});
    }
  for (BootstrapResult& result : report.predicted.bootstraps) run(report, result);
  std::erase_if(report.predicted.bootstraps, [](const BootstrapResult& result) { return result.replicates() == 0; });
}

}  // namespace dfsweep::fit
