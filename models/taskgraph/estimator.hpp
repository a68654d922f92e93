/// The estimator `taskgraph`: graphs of tasks on groups of devices, and strategies that build such graphs for
/// transformers.
#pragma once

#include <memory>

#include "models/estimator.hpp"

namespace dfsweep::taskgraph {

[[nodiscard]] std::unique_ptr<Estimator> make_taskgraph_estimator();

}  // namespace dfsweep::taskgraph
