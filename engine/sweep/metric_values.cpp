#include "engine/sweep/metric_values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dfsweep {

bool can_have_values(MetricIndex index, const SweepSpec& spec) {
  if (!spec.estimator->applies(index, spec.values)) return false;
  const MetricInfo& metric = spec.estimator->metrics()[index];
  const auto parameters = spec.estimator->parameters();
  for (ParameterIndex p = 0; p < parameters.size(); ++p)
    if (parameters[p].accepts_best && metric.name == fmt::format("best_{}", parameters[p].name))
      return std::any_of(spec.values.parameters[p].values.begin(), spec.values.parameters[p].values.end(),
                         [](const ParameterValue& value) { return value.is_best(); });
  return true;
}

void check_values(std::string_view use, MetricIndex index, const SourcePosition& at, const SweepSpec& spec,
                  Problems& problems) {
  if (can_have_values(index, spec)) return;
  const MetricInfo& metric = spec.estimator->metrics()[index];
  problems.add(at, fmt::format("{} metric '{}'", use, metric.name), "it has no value at any point of this sweep",
               fmt::format("Its meaning: {}", metric.meaning));
}

}  // namespace dfsweep
