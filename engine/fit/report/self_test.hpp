/// The self-test of intervals: how often each kind contains a known truth, on simulated runs.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/law_fits/intervals/coverage_simulation.hpp"

namespace dfsweep::fit {

struct SelfTestSettings {
  std::uint64_t sets = 2000;  ///< of runs, for each truth
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

struct SelfTest {
  SelfTestSettings settings;
  law_fits::CoverageSettings coverage;
  std::vector<std::pair<law_fits::KnownTruth, law_fits::CoverageTable>>
      tables;  ///< no scatter between groups; scatter; scatter and skew
};

/// Simulated runs have the scales, learning rates and batches of the runs of `design`. The same result for any number
/// of threads.
[[nodiscard]] SelfTest run_self_test(const law_fits::GroupedRuns& design, const SelfTestSettings& settings);

}  // namespace dfsweep::fit
