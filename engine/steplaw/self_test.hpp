/// The self-test of intervals: how often each kind contains a known truth, on simulated runs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "io/json.hpp"
#include "io/terminal.hpp"
#include "models/hyperparameters/coverage_simulation.hpp"

namespace dfsweep {

struct SelfTestSettings {
  std::uint64_t sets = 2000;  ///< of runs, for each truth
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

struct SelfTest {
  SelfTestSettings settings;
  CoverageSettings coverage;
  std::vector<std::pair<KnownTruth, CoverageTable>> tables;  ///< no scatter between groups; scatter; scatter and skew
};

/// Simulated runs stand where those of `design` stand. The same result for any number of threads.
[[nodiscard]] SelfTest run_self_test(const GroupedRuns& design, const SelfTestSettings& settings);

/// A line per kind of interval: coverage beside the nominal one, mean half-width; the recommended kind is marked.
[[nodiscard]] std::string self_test_text(const SelfTest& test, const Terminal& terminal);
[[nodiscard]] Json self_test_json(const SelfTest& test);

}  // namespace dfsweep
