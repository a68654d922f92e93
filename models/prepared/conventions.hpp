/// Conventions of a sweep: one for all points, and no value given that nothing reads.
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

/// Of each parameter that is not read, the first value that is not the default: it "changes nothing", for this reason.
[[nodiscard]] std::vector<ValueProblem> unread_values(const SweepValues& values,
                                                      std::span<const ParameterInfo> parameters,
                                                      const std::function<bool(ParameterIndex)>& is_unread,
                                                      std::string_view reason, std::string_view hint);

/// The same for parameters that a convention does not read. `other`: the convention that reads them.
[[nodiscard]] std::vector<ValueProblem> unread_by_convention(const SweepValues& values,
                                                             std::span<const ParameterInfo> parameters,
                                                             const std::function<bool(ParameterIndex)>& is_unread,
                                                             std::string_view convention, std::string_view other);

}  // namespace dfsweep
