/// The dataflow estimator: workload graphs mapped onto chips, memories and networks.
#pragma once

#include <memory>

#include "models/estimator.hpp"

namespace dfsweep::dataflow {

/// DFModel's analytical model. [dfmodel]; docs/models/dataflow.md.
[[nodiscard]] std::unique_ptr<Estimator> make_dataflow_estimator();

}  // namespace dfsweep::dataflow
