/// The serving_study estimator: the serving study of the DFModel paper, as published.
#pragma once

#include <memory>

#include "models/estimator.hpp"

namespace dfsweep::serving_study {

/// Documented in docs/models/serving-study.md.
[[nodiscard]] std::unique_ptr<Estimator> make_serving_study_estimator();

}  // namespace dfsweep::serving_study
