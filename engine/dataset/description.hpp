/// Description of result.h5: every dataset, attribute, label table and text of the file for a plan.
#pragma once

#include "engine/plan/plan.hpp"
#include "io/dataset.hpp"

namespace dfsweep {

/// Column order is file order.
[[nodiscard]] DatasetDescription describe_dataset(const Plan& plan);

}  // namespace dfsweep
