/// Lines of a plan about a sample: what is drawn from which points, and how the rows are split.
#pragma once

#include <string>

#include "engine/plan/row_source.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// The parameters of an axis: "micro_batch+recompute".
[[nodiscard]] std::string axis_name(const SweepSpec& spec, const Axis& axis);

/// Empty without a sample.
[[nodiscard]] std::string drawing_lines(const SweepSpec& spec, const RowSource& rows);

}  // namespace dfsweep
