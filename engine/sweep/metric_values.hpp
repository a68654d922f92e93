/// Whether a metric can have values in a sweep.
#pragma once

#include <string_view>

#include "engine/sweep/sweep.hpp"
#include "io/diagnostic.hpp"

namespace dfsweep {

/// False for metrics that cannot apply, and for best_<parameter> if the estimator does not choose that parameter.
[[nodiscard]] bool can_have_values(MetricIndex index, const SweepSpec& spec);

/// Adds a problem of a metric without values: its meaning says what the sweep would need. `use`: "condition on".
void check_values(std::string_view use, MetricIndex index, const SourcePosition& at, const SweepSpec& spec,
                  Problems& problems);

}  // namespace dfsweep
