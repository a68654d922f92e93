/// Merging: several results of one estimator become one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/merging/merged_sources.hpp"
#include "engine/results/stored_sweep.hpp"

namespace dfsweep {

struct MergeRequest {
  std::vector<std::filesystem::path> parts;  ///< result files or run directories, which may be unfinished
  std::filesystem::path output;
  std::string name;  ///< of the merged sweep; empty: see merged_name()
  GivenData data;    ///< where measured tables are
  unsigned threads = 1;
};

struct MergeReport {
  struct Source {
    std::string shown;  ///< path as given
    MergedSource source;
    std::uint64_t taken = 0;  ///< rows that no part before it has
  };
  std::vector<Source> sources;
  std::uint64_t rows = 0;
  std::string no_grid;  ///< why the result is a list of points, without a full stop; empty: it is a grid
};

/// Writes the result with all rows of the parts. Where they are all points of one grid, it is the result of that grid,
/// the same for any order of the parts; else the result of a list of points, see merged_points(). A row that several
/// parts have must be the same in each. The file is replaced as a whole or not at all. Throws UsageError with the
/// reason where parts do not belong together, UserError where their values do not; BadDataset, ForeignRun, NotReady,
/// IoError.
[[nodiscard]] MergeReport merge_results(const MergeRequest& request);

}  // namespace dfsweep
