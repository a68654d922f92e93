/// The profiled estimator: batch times of inference from measured operator tables.
#pragma once

#include <memory>

#include "models/estimator.hpp"

namespace dfsweep::inference {

/// Vidur's tables, read exactly or as Vidur reads them. [vidur]; docs/models/profiled.md.
[[nodiscard]] std::unique_ptr<Estimator> make_profiled_estimator();

}  // namespace dfsweep::inference
