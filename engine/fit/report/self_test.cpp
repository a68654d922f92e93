#include "engine/fit/report/self_test.hpp"

#include <algorithm>

#include "engine/parallel/threads.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

/// The scatter that released groups show; their skew goes with it in the last table.
constexpr double released_scatter = 0.12;
constexpr std::size_t sets_at_once = 16;

CoverageTable covered(const CoverageSimulation& simulation, const SelfTestSettings& settings) {
  std::vector<SimulatedSet> sets(settings.sets);
  parallel_for((sets.size() + sets_at_once - 1) / sets_at_once, settings.threads, [&](std::size_t range) {
    const std::size_t end = std::min(sets.size(), (range + 1) * sets_at_once);
    for (std::size_t set = range * sets_at_once; set < end; ++set) sets[set] = simulation.simulate(set);
  });
  return summarize(sets, simulation.true_value());
}

}  // namespace

SelfTest run_self_test(const GroupedRuns& design, const SelfTestSettings& settings) {
  SelfTest test;
  test.settings = settings;
  test.coverage.form = *find_law_form("unified");
  test.coverage.seed = settings.seed;
  KnownTruth scattered;
  scattered.group_effect = released_scatter;
  KnownTruth skewed = scattered;
  skewed.skew = released_skew;
  for (const KnownTruth& truth : {KnownTruth{}, scattered, skewed}) {
    test.tables.emplace_back(truth, covered({design, truth, test.coverage}, settings));
  }
  return test;
}

}  // namespace dfsweep::fit
