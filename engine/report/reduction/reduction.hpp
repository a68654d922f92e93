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
inline constexpr std::size_t most_ranked = 1024;     ///< best rows of all tasks together, about
inline constexpr std::size_t most_sampled = 100000;  ///< rows of the largest sample
inline constexpr std::uint64_t whole_rows = 20000;   ///< up to this many ok rows, all of them are kept

/// The fronts of one pair of metrics, each of some neighbouring cells of the cube.
struct PairFronts {
  std::vector<Front> fronts;  ///< [cell / width]
  std::size_t width = 1;      ///< cells of the cube that share a front; all of them: there is one front
  bool is_whole = true;       ///< no member was thinned out

  [[nodiscard]] Front& of_cell(std::size_t cell) { return fronts[cell / width]; }
  [[nodiscard]] std::size_t members() const;  ///< of all fronts
  /// Joins fronts until each is of `wider` cells. Pre: a multiple of width.
  void widen(std::size_t wider);
  /// The front of all rows.
  [[nodiscard]] Front whole() const;
};

struct Reduction {
  std::vector<std::size_t> axes;  ///< of the cube, the last one fastest: places in Subject::axes
  Cube cube;
  std::vector<PairFronts> pairs;  ///< as Views::trade_offs
  std::vector<TopRows> tops;      ///< as Views::objectives
  std::vector<TopRows> ranked;    ///< [code of Views::task] by Views::decides; the last one: rows without a task
  SampledRows sample;
  std::vector<Histogram> histograms;   ///< as Views::metrics
  std::vector<std::uint64_t> ok_rows;  ///< all of them where there are at most `whole_rows`, else none
};

/// The number of best rows that each task has: 16 where tasks are few, 4 where they are many.
[[nodiscard]] std::size_t ranked_rows(std::size_t tasks);

/// An empty reduction, with the cells and the histograms that the views need.
[[nodiscard]] Reduction empty_reduction(const Subject& subject, const Views& views);

/// Drops the last axis of the cube; bests, counts and fronts stay exact.
void drop_last_axis(Reduction& reduction, const Subject& subject);

/// The number of first axes of the cube that the fronts of all pairs have.
[[nodiscard]] std::size_t front_axes(const Reduction& reduction, const Subject& subject);

/// Lets all pairs have fronts of the cells of the first `count` axes of the cube. Pre: they have these axes.
void keep_front_axes(Reduction& reduction, const Subject& subject, std::size_t count);

}  // namespace dfsweep::report
