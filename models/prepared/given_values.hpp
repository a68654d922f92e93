/// Which values a sweep gives, and problems where it gives too few.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/enum_array.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

/// Whether every value of the parameter is an entry or a number, not absent. True where it has no values.
[[nodiscard]] bool is_given_everywhere(const SweepValues::Parameter& parameter);

/// Whether some value of the parameter is an entry or a number. False where it has no values.
[[nodiscard]] bool is_given_somewhere(const SweepValues::Parameter& parameter);

/// Whether some value of the parameter is a number above one: a degree that several devices share. False where it has
/// no values.
[[nodiscard]] bool is_above_one_somewhere(const SweepValues::Parameter& parameter);

/// "'name' is missing (reason). hint", at the first value of the parameter.
template <class Parameter>
[[nodiscard]] ValueProblem missing_value(Parameter parameter, std::span<const ParameterInfo> parameters,
                                         std::string_view reason, std::string_view hint) {
  const std::string name{parameters[index_of(parameter)].name};
  return {index_of(parameter), 0, "'" + name + "' is missing", std::string(reason), std::string(hint), {}};
}

}  // namespace dfsweep
