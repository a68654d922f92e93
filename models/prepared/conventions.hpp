/// Checks of conventions: one convention for all points, and no ignored parameters.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep {

/// Whether a value equals the default of the parameter.
[[nodiscard]] bool is_default(const ParameterInfo& info, const ParameterValue& value);

/// A problem where a sweep names several conventions; otherwise empty.
[[nodiscard]] std::vector<ValueProblem> mixed_conventions(const SweepValues& values, ParameterIndex convention,
                                                          std::string_view what_differs);

/// A problem for each unread parameter with a value other than its default: it "changes nothing", for `reason`.
[[nodiscard]] std::vector<ValueProblem> unread_values(const SweepValues& values,
                                                      std::span<const ParameterInfo> parameters,
                                                      const std::function<bool(ParameterIndex)>& is_unread,
                                                      std::string_view reason, std::string_view hint);

/// As unread_values() for parameters that a convention does not read. `other`: the convention that reads them.
[[nodiscard]] std::vector<ValueProblem> unread_by_convention(const SweepValues& values,
                                                             std::span<const ParameterInfo> parameters,
                                                             const std::function<bool(ParameterIndex)>& is_unread,
                                                             std::string_view convention, std::string_view other);

}  // namespace dfsweep
