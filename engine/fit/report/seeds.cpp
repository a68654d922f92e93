/// Seeds: the noise between them, near the optimum and anywhere, beside the errors of the recommended law.
#include "engine/fit/report/make_report.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

constexpr double usual_window = 0.01;

/// The settings whose median loss is within a window of the least of their group.
std::vector<SeedRepeats> repeats_within(const GroupedRuns& runs, std::span<const SeedRepeats> repeats, double window) {
  std::vector<char> is_near(runs.file_row.size(), 0);  // [run of TrainingRuns]
  for (std::size_t run = 0; run < runs.file_row.size(); ++run) is_near[runs.file_row[run]] = runs.rel[run] < window;
  std::vector<SeedRepeats> near;
  for (const SeedRepeats& setting : repeats)
    if (is_near[setting.run] != 0) near.push_back(setting);
  return near;
}

/// The recommended law, where it has a surface and intervals; else null.
const ScatteredLaw* law_with_surface(const FitReport& report) {
  const auto& recommended = report.predicted.recommended;
  return recommended && recommended->has_interval() ? &recommended->scattered : nullptr;
}

}  // namespace

std::optional<SeedReport> seed_report(const FitReport& report, std::span<const SeedRepeats> repeats) {
  if (repeats.empty()) return std::nullopt;
  const ScatteredLaw* law = law_with_surface(report);
  const GroupedRuns& runs = *report.read.grouped;
  SeedReport seeds;
  seeds.window = law != nullptr ? law->choice.window : usual_window;
  seeds.all = pooled_seed_noise(repeats, interval_confidence);
  seeds.near = pooled_seed_noise(repeats_within(runs, repeats, seeds.window), interval_confidence);
  if (law != nullptr && seeds.near.sd > 0.0)
    seeds.comparison =
        compare_with_seeds(*law, seeds.near, mean_median_variance(runs, repeats, law->groups, seeds.window));
  return seeds;
}

std::optional<SeedReport> seed_report(const FitReport& report, const SeedSums& sums) {
  if (sums.settings == 0) return std::nullopt;
  SeedReport seeds;
  seeds.window = usual_window;
  seeds.near = seed_noise(sums, interval_confidence);
  if (const ScatteredLaw* law = law_with_surface(report); law != nullptr && seeds.near.sd > 0.0)
    seeds.comparison = compare_with_seeds(*law, seeds.near, 1.0);
  return seeds;
}

}  // namespace dfsweep::fit
