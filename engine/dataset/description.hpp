/// Describes result.h5: all datasets, attributes, label tables and texts of the file for a plan.
#pragma once

#include "engine/plan/plan.hpp"
#include "io/dataset.hpp"

namespace dfsweep {

/// Columns are in file order.
[[nodiscard]] DatasetDescription describe_dataset(const Plan& plan);

}  // namespace dfsweep
