/// What golden tests of step law fits share: golden tables, runs as selected, and comparisons that name what differs.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "models/law_fits/runs/selection.hpp"
#include "tests/support/golden_table.hpp"
#include "tests/support/steplaw_runs.hpp"

namespace dfsweep::testing {

/// The folder of the released runs, which have no licence and are not part of this repository; empty where the
/// environment names none.
inline std::string released_folder() {
  const char* const folder = std::getenv("DFSWEEP_STEPLAW_RUNS");
  return folder == nullptr ? "" : folder;
}

/// Fixture of a suite: leaves with the status of a skipped test where the released runs are not there.
struct NeedReleasedRuns {
  NeedReleasedRuns() {
    if (!released_folder().empty()) return;
    std::cout << "skipped: DFSWEEP_STEPLAW_RUNS names no folder with the released step law runs\n";
    std::exit(77);
  }
};

inline GoldenTable steplaw_golden(const std::string& golden_folder, const std::string& name) {
  return GoldenTable(golden_folder + "/reference/steplaw/" + name);
}

/// Runs as the fits take them.
struct FittedRuns {
  law_fits::GroupedRuns grouped;
  law_fits::SelectedRuns runs;
  std::map<std::string, std::size_t> group;  ///< number by name

  explicit FittedRuns(const law_fits::TrainingRuns& columns)
      : grouped(law_fits::group_runs(columns)), runs(law_fits::select_runs(grouped, law_fits::fit_windows, 0.04)) {
    for (std::size_t g = 0; g < grouped.groups.size(); ++g)
      group[law_fits::group_name(grouped.groups[g].key, grouped.recipes)] = g;
  }
  [[nodiscard]] std::vector<std::size_t> every_group() const {
    std::vector<std::size_t> groups(runs.groups.size());
    std::iota(groups.begin(), groups.end(), std::size_t{0});
    return groups;
  }
};

inline const FittedRuns& all_runs() {
  static const FittedRuns released(released_runs(released_folder()));
  return released;
}

inline const FittedRuns& dense_runs() {
  static const FittedRuns released(released_dense_runs(released_folder()));
  return released;
}

inline void check_close(double value, double expected, double relative, const std::string& what) {
  BOOST_CHECK_MESSAGE(std::abs(value - expected) <= relative * std::abs(expected),
                      what << ": " << value << " instead of " << expected);
}

inline void check_within(double value, double expected, double absolute, const std::string& what) {
  BOOST_CHECK_MESSAGE(std::abs(value - expected) <= absolute, what << ": " << value << " instead of " << expected);
}

}  // namespace dfsweep::testing
