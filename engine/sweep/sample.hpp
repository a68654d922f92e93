/// Sample: the section [sample] of a sweep file, a part of the kept points drawn by a seed, and the split of the rows
/// into named parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/sweep/ranges.hpp"
#include "io/diagnostic.hpp"
#include "models/estimator.hpp"
#include "models/statistics/designs.hpp"

namespace dfsweep {

/// A range of numbers without given points; each row of the sample has its own number.
struct ContinuousRange {
  ParameterIndex parameter = 0;
  double from = 0.0;
  double to = 0.0;
  Scale scale = Scale::linear;
};

/// Rows get one of several names ("train", "test") as a column of the result.
struct Split {
  std::vector<std::string> names;
  std::vector<double> shares;     ///< [name] positive, with sum 1
  std::vector<std::size_t> axes;  ///< rows that agree on these axes have the same name, ascending
  SourcePosition at;
};

struct Sample {
  std::optional<std::uint64_t> count;  ///< nothing: all kept points
  SourcePosition count_at;
  DesignMethod method = DesignMethod::random;
  std::uint64_t seed = 1;
  /// Drawn together: they form the last axis of the grid, whose code is the number of the row.
  std::vector<ContinuousRange> ranges;
  std::vector<std::size_t> strata;  ///< axes: each combination of their values gets equally many rows, ascending
  SourcePosition strata_at;
  std::optional<Split> split;
};

/// Independent keys from the seed of a sample.
enum class SampleStream : std::uint64_t { values, points, split };
[[nodiscard]] std::uint64_t key_of(const Sample& sample, SampleStream stream);

/// The design of the values of the ranges: row by row, dimension d for the range d. Pre: sample.count.
[[nodiscard]] Design range_design(const Sample& sample);

/// The number of a range at u: from + u (to - from), or from (to / from)^u.
[[nodiscard]] double number_at(const ContinuousRange& range, UnitFraction u);

}  // namespace dfsweep
