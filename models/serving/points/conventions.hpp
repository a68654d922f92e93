/// Which convention a sweep names, and which parameters that convention reads.
#pragma once

#include <vector>

#include "models/estimator.hpp"

namespace dfsweep::serving {

/// Whether the first value of `convention` is "dfmodel", the serving study of that paper.
[[nodiscard]] bool is_of_study(const SweepValues& values);

/// Two conventions in one sweep, and values of parameters that its convention does not read: they would change
/// nothing. Values equal to the default are no problem. Some parameters may have no values.
[[nodiscard]] std::vector<ValueProblem> problems_of_conventions(const SweepValues& values);

}  // namespace dfsweep::serving
