/// Scores: one objective over several results, for every machine that all of them have.
///
/// A machine is a combination of values of shared axes. Of each result it takes the row with the best terms of the
/// objective, so that whatever else a result varies (degrees, batches, settings) is chosen for the machine; a sum and a
/// worst case of terms of one result each are least where each of them is least.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/results/row_condition.hpp"
#include "engine/scores/objective.hpp"
#include "engine/scores/shared_axis.hpp"

namespace dfsweep {

struct ScoreQuestion {
  std::vector<NamedResult> results;      ///< at least one
  std::vector<RowCondition> conditions;  ///< [result]
  std::vector<std::string> by;           ///< names of the axes
  Objective objective;                   ///< of these results
};

struct ScoredMachine {
  std::vector<std::uint32_t> codes;  ///< [axis] shared code
  double score = 0.0;
  std::vector<double> parts;        ///< [result] its terms of the objective
  std::vector<std::uint64_t> rows;  ///< [result] the row that gives them
  bool is_on_front = false;         ///< no other machine is better in one part and as good in the others
};

struct Scores {
  std::vector<SharedAxis> axes;
  std::vector<ScoredMachine> machines;     ///< the best first; equal scores in the order of their codes
  std::vector<std::uint64_t> machines_of;  ///< [result] machines with a feasible row that has a value
  std::vector<RowCounts> counts;           ///< [result]
};

/// Throws UsageError as shared_axis() does.
[[nodiscard]] Scores scores_of(const ScoreQuestion& question);

/// Columns of a result that an objective may use: its numbers.
[[nodiscard]] std::vector<std::string> scorable_columns(const DatasetReader& file);

/// Axes of two or more numbers along which the best machine has the least or the greatest one: the place of the axis
/// and the number.
[[nodiscard]] std::vector<std::pair<std::size_t, double>> ends_of_grid(const Scores& scores);

}  // namespace dfsweep
