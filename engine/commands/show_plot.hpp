/// `show --plot`: the rows of an answer as a chart.
#pragma once

#include <string>

#include "engine/commands/show_text.hpp"
#include "engine/results/row_condition.hpp"

namespace dfsweep {

/// A Pareto front: two axes with the front as steps before all other rows. Best rows by one axis of numbers: a line; by
/// such an axis and one of names: a line for each name; by two other axes: a heat map; else: bars.
/// Throws UsageError where there is nothing to draw, or too much. Pre: the result has a question.
[[nodiscard]] std::string plot_svg(const ShownResult& shown, const RowCondition& condition);

}  // namespace dfsweep
