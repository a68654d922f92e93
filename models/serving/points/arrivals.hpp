/// Parameters of arrivals that contradict each other or change nothing.
#pragma once

#include <vector>

#include "models/estimator.hpp"

namespace dfsweep::serving {

/// Problems of `load`, `requests` and `concurrency`: a static batch starts when it is full, and waiting users decide
/// the rate at which requests arrive. Values equal to the default are no problem. Some parameters may have no values.
[[nodiscard]] std::vector<ValueProblem> problems_of_arrivals(const SweepValues& values);

}  // namespace dfsweep::serving
