/// The registry of estimators.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep {

/// All estimators, in order of registration; they have static lifetime.
[[nodiscard]] std::span<const Estimator* const> estimators();

/// The estimator called `name` among `known`, or null.
[[nodiscard]] const Estimator* find_estimator(std::string_view name,
                                              std::span<const Estimator* const> known = estimators());

/// "Estimator 'calculon' has it": which of `known` have a parameter of that name, else `otherwise`.
[[nodiscard]] std::string parameter_hint(std::string_view parameter, std::span<const Estimator* const> known,
                                         std::string otherwise);

/// Names of those that leave numbers open to measurements (Estimator::calibration).
[[nodiscard]] std::vector<std::string> correctable_estimators();

}  // namespace dfsweep
