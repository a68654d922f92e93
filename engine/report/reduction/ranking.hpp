/// Ranking: the rows that come first by the metric that a sweep is about, one list for each task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/report/reduction/reduction.hpp"

namespace dfsweep::report {

/// The best rows of one task.
struct Ranking {
  std::uint32_t task = 0;           ///< code of the task's axis; the number of codes where a row has no value there
  std::vector<std::uint64_t> rows;  ///< the best first; equal values: the lowest row first
  std::vector<double> values;       ///< [row] of the metric, in its own unit
  double behind = 0.0;              ///< how many times as good the winner is as the runner-up, >= 1; NaN: no runner-up
  double error = 0.0;               ///< expected relative error of the winner's value; NaN: not known
  std::size_t tied = 1;             ///< first rows within the error
  bool has_more = false;            ///< there may be rows behind these
  [[nodiscard]] bool has_runner_up() const { return rows.size() > 1; }
};

/// In the order of the task's values; tasks without a feasible row are left out. Pre: Views::decides is given.
[[nodiscard]] std::vector<Ranking> rankings(const Reduction& reduction, const Subject& subject, const Views& views);

/// As many times as good is `best` as `next`: the ratio of the larger to the smaller one; NaN where one is not
/// positive.
[[nodiscard]] double times_as_good(double best, double next);

}  // namespace dfsweep::report
