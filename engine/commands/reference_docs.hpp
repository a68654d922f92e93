/// Reference pages: an estimator's tables as Markdown and as JSON, generated so that they cannot be out of date.
#pragma once

#include <string>

#include "io/json.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

/// "whole number, 1 to 65536", "entry of devices, or a .toml or .json file": what a sweep file may give.
[[nodiscard]] std::string legal_values(const ParameterInfo& parameter);

/// "required", or what holds where a sweep does not give the parameter.
[[nodiscard]] std::string default_text(const ParameterInfo& parameter);

/// "lower", "higher" or "".
[[nodiscard]] std::string_view better_text(Better better);

/// Statuses other than ok where the metric is a number too, by name; "" if none.
[[nodiscard]] std::string valid_statuses_text(const MetricInfo& metric, const Estimator& estimator);

/// The page docs/reference/<estimator>.md.
[[nodiscard]] std::string reference_page(const Estimator& estimator);

[[nodiscard]] Json estimator_json(const Estimator& estimator);

}  // namespace dfsweep
