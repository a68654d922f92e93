/// Conventions of a sweep: one for all points, and no value given that it does not read.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep {

/// Whether a value is what the parameter has where the sweep does not give it.
[[nodiscard]] bool is_default(const ParameterInfo& info, const ParameterValue& value);

/// A problem where a sweep names several conventions; else none.
[[nodiscard]] std::vector<ValueProblem> mixed_conventions(const SweepValues& values, ParameterIndex convention,
                                                          std::string_view what_differs);

/// Of each parameter that the convention does not read, the first value that is not the default. `other`: the
/// convention that reads it.
[[nodiscard]] std::vector<ValueProblem> unread_values(const SweepValues& values,
                                                      std::span<const ParameterInfo> parameters,
                                                      const std::function<bool(ParameterIndex)>& is_unread,
                                                      std::string_view convention, std::string_view other);

}  // namespace dfsweep
