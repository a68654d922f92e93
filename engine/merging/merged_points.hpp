/// Merged points: the rows of all parts as a list of points, where they form no grid.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/merging/merge_parts.hpp"

namespace dfsweep {

struct MergedPoints {
  /// Where a line of the list has its estimates.
  struct Source {
    std::uint32_t part = 0;
    std::uint64_t row = 0;
  };
  struct Repetition {
    std::uint64_t line = 0;
    Source source;
  };
  SweepSpec spec;                       ///< with the list
  std::vector<Source> sources;          ///< [line]
  std::vector<Repetition> repetitions;  ///< rows that a line before them has, by line, then by part and row
};

/// The complete rows of the first part, then those of the second one whose parameters no row before them has, and so
/// on. Columns of the list are the parameters that are not the same in all rows, in the order of the estimator's table.
/// Throws BadDataset where a part is damaged, UserError as a point list does. Pre: expect_alike().
[[nodiscard]] MergedPoints merged_points(std::span<const MergePart> parts, const std::string& name,
                                         const GivenData& data);

}  // namespace dfsweep
