/// What golden tests of step law fits share: the released runs as selected, and comparisons that name what differs.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "models/law_fits/runs/selection.hpp"
#include "tests/support/golden_table.hpp"
#include "tests/support/steplaw_runs.hpp"

namespace dfsweep::testing {

/// Leaves with the status of a skipped test where the tables are not there.
struct NeedSteplawReference {
  NeedSteplawReference() {
    const std::string folder = DFSWEEP_REFERENCE_DIR;
    if (!folder.empty() && std::ifstream(folder + "/reference/steplaw/groups.csv")) return;
    std::cout << "skipped: DFSWEEP_REFERENCE_DIR names no folder with reference/steplaw\n";
    std::exit(77);
  }
};

inline GoldenTable steplaw_golden(const std::string& name) {
  return GoldenTable(std::string(DFSWEEP_REFERENCE_DIR) + "/reference/steplaw/" + name);
}

struct ReleasedRuns {
  hyperparameters::GroupedRuns grouped;
  hyperparameters::SelectedRuns runs;
  std::map<std::string, std::size_t> group;  ///< number by name

  explicit ReleasedRuns(const hyperparameters::TrainingRuns& columns)
      : grouped(hyperparameters::group_runs(columns)),
        runs(hyperparameters::select_runs(grouped, hyperparameters::fit_windows, 0.04)) {
    for (std::size_t g = 0; g < grouped.groups.size(); ++g)
      group[hyperparameters::group_name(grouped.groups[g].key, grouped.recipes)] = g;
  }
  [[nodiscard]] std::vector<std::size_t> every_group() const {
    std::vector<std::size_t> groups(runs.groups.size());
    std::iota(groups.begin(), groups.end(), std::size_t{0});
    return groups;
  }
};

inline const ReleasedRuns& all_runs() {
  static const ReleasedRuns released(released_runs(DFSWEEP_REFERENCE_DIR));
  return released;
}

inline const ReleasedRuns& dense_runs() {
  static const ReleasedRuns released(released_dense_runs(DFSWEEP_REFERENCE_DIR));
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
