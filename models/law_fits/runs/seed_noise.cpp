#include "models/law_fits/runs/seed_noise.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "models/expect.hpp"

namespace dfsweep::law_fits {

namespace {

/// [runs - 1] By integrating over the order statistics in the middle.
constexpr double median_variances[] = {1.0, 0.5, 0.44867, 0.2982, 0.28683, 0.21474, 0.21045, 0.16818, 0.1661, 0.13833};
/// Beyond: pi / 2 over the number of runs and a little, which differs between odd and even numbers.
constexpr double odd_offset = 0.9;
constexpr double even_offset = 2.74;

}  // namespace

SeedNoise seed_noise(const SeedSums& sums, double confidence) {
  DFSWEEP_EXPECT(confidence > 0.0 && confidence < 1.0);
  SeedNoise noise;
  noise.settings = sums.settings;
  noise.runs = sums.runs;
  noise.diverged = sums.diverged;
  if (sums.settings == 0) return noise;
  noise.degrees = static_cast<double>(sums.runs - sums.settings);
  noise.sd = std::sqrt(sums.squares / noise.degrees);
  const auto chi_square = [&](double p) { return 2.0 * gamma_quantile(p, 0.5 * noise.degrees); };
  const double tail = 0.5 * (1.0 - confidence);
  noise.interval = {std::sqrt(sums.squares / chi_square(1.0 - tail)), std::sqrt(sums.squares / chi_square(tail))};
  return noise;
}

SeedNoise pooled_seed_noise(std::span<const SeedRepeats> settings, double confidence) {
  SeedSums sums;
  for (const SeedRepeats& setting : settings) {
    const double highest = (1.0 + diverged_seed_rel) * *std::min_element(setting.losses.begin(), setting.losses.end());
    std::vector<double> logs;
    for (const double loss : setting.losses)
      if (loss <= highest) logs.push_back(std::log(loss));
    sums.diverged += setting.losses.size() - logs.size();
    if (logs.size() < 2) continue;
    double mean = 0.0;
    for (const double log : logs) mean += log / static_cast<double>(logs.size());
    for (const double log : logs) sums.squares += (log - mean) * (log - mean);
    sums.settings += 1;
    sums.runs += logs.size();
  }
  return seed_noise(sums, confidence);
}

double median_variance(std::size_t runs) {
  DFSWEEP_EXPECT(runs > 0);
  if (runs <= std::size(median_variances)) return median_variances[runs - 1];
  return std::numbers::pi / (2.0 * static_cast<double>(runs) + (runs % 2 == 1 ? odd_offset : even_offset));
}

double mean_median_variance(const GroupedRuns& runs, std::span<const SeedRepeats> settings,
                            std::span<const std::size_t> groups, double window) {
  std::vector<std::size_t> repeats(runs.file_row.size(), 1);  // [run of TrainingRuns]
  for (const SeedRepeats& setting : settings) repeats[setting.run] = setting.losses.size();
  double sum = 0.0;
  double count = 0.0;
  for (const std::size_t g : groups)
    for (std::size_t run = runs.groups[g].begin; run < runs.groups[g].end; ++run) {
      if (!(runs.rel[run] < window)) continue;
      sum += median_variance(repeats[runs.file_row[run]]);
      count += 1.0;
    }
  return count > 0.0 ? sum / count : absent;
}

}  // namespace dfsweep::law_fits
