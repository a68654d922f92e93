/// Layer sections: the kernels of the layers of a model on one device, with sizes, times and rates.
#pragma once

#include "models/explanation.hpp"
#include "models/training/step/point.hpp"

namespace dfsweep::training {

/// A table of kernels for every kind of layer that the model has, for one micro-batch, and the output layer.
[[nodiscard]] Explanation layer_sections(const TrainingPoint& point);

}  // namespace dfsweep::training
