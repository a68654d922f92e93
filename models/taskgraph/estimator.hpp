/// The estimator `taskgraph`: graphs of tasks on groups of devices, and strategies that make such graphs of
/// transformers.
#pragma once

#include <memory>

#include "models/estimator.hpp"

namespace dfsweep::taskgraph {

[[nodiscard]] std::unique_ptr<Estimator> make_taskgraph_estimator();

}  // namespace dfsweep::taskgraph
