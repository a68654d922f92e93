/// Parameter sets as JSON.
#pragma once

#include "engine/fit/report/parameter_sets.hpp"
#include "io/json.hpp"

namespace dfsweep::fit {

[[nodiscard]] Json parameter_sets_json(const ParameterSets& sets, double sequence_length);

}  // namespace dfsweep::fit
