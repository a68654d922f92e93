#include "models/law_fits/intervals/paired_gain.hpp"

#include <vector>

#include "models/absent.hpp"
#include "models/expect.hpp"
#include "models/law_fits/intervals/bootstrap_interval.hpp"

namespace dfsweep::law_fits {

PairedGain paired_gain(std::span<const double> baseline, std::span<const double> candidate, double confidence,
                       std::uint64_t seed, std::uint64_t replicates) {
  DFSWEEP_EXPECT(baseline.size() == candidate.size());
  std::vector<double> differences;
  for (std::size_t i = 0; i < baseline.size(); ++i)
    if (is_given(baseline[i] - candidate[i])) differences.push_back(baseline[i] - candidate[i]);
  if (differences.empty()) return {0.0, absent, {absent, absent}};
  const auto count = static_cast<double>(differences.size());
  PairedGain gain;
  gain.groups = count;
  for (const double difference : differences) gain.mean += difference / count;
  const CounterRandom random(seed);
  std::vector<double> means(replicates, 0.0);
  for (std::uint64_t r = 0; r < replicates; ++r)
    for (std::size_t draw = 0; draw < differences.size(); ++draw)
      means[r] += differences[random.index(r, draw, differences.size())] / count;
  gain.interval = percentile_interval(means, confidence);
  return gain;
}

}  // namespace dfsweep::law_fits
