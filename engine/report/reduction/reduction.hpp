/// Reduction: what is left of the rows of a result where a page cannot carry all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/report/reduction/cube.hpp"
#include "engine/report/reduction/front.hpp"
#include "engine/report/reduction/row_sets.hpp"
#include "engine/report/reduction/scale.hpp"
#include "engine/report/reduction/subject.hpp"
#include "engine/report/reduction/views.hpp"

namespace dfsweep::report {

inline constexpr std::size_t top_size = 100;         ///< best rows of each objective that a page lists
inline constexpr std::size_t most_sampled = 100000;  ///< rows of the largest sample
inline constexpr std::uint64_t whole_rows = 20000;   ///< with so many ok rows all of them are kept

/// The fronts of one pair of metrics.
struct PairFronts {
  std::vector<Front> cells;  ///< [cell]; empty where there were too many members
  Front all;                 ///< of all rows; current once the cells are given up, and at the end
  bool is_whole = true;      ///< nothing of `all` was thinned out
  [[nodiscard]] bool has_cells() const { return !cells.empty(); }
};

struct Reduction {
  std::vector<std::size_t> axes;  ///< of the cube, the last one fastest: places in Subject::axes
  Cube cube;
  std::vector<PairFronts> fronts;  ///< as Views::trade_offs
  std::vector<TopRows> tops;       ///< as Views::objectives
  SampledRows sample;
  std::vector<Histogram> histograms;   ///< as Views::metrics
  std::vector<std::uint64_t> ok_rows;  ///< all of them where there are at most `whole_rows`, else none
};

/// Of no rows, with the cells and the histograms that the views ask for.
[[nodiscard]] Reduction empty_reduction(const Subject& subject, const Views& views);

/// Drops the last axis of the cube; bests, counts and fronts stay exact.
void drop_last_axis(Reduction& reduction, const Subject& subject);

}  // namespace dfsweep::report
