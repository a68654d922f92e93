#include "models/prepared/given_values.hpp"

#include <algorithm>

#include "models/absent.hpp"

namespace dfsweep {

bool is_given_everywhere(const SweepValues::Parameter& parameter) {
  return std::all_of(parameter.values.begin(), parameter.values.end(),
                     [](const ParameterValue& v) { return v.entry != nullptr || is_given(v.number); });
}

bool is_given_somewhere(const SweepValues::Parameter& parameter) {
  return std::any_of(parameter.values.begin(), parameter.values.end(),
                     [](const ParameterValue& value) { return value.entry != nullptr || is_given(value.number); });
}

bool is_above_one_somewhere(const SweepValues::Parameter& parameter) {
  return std::any_of(parameter.values.begin(), parameter.values.end(),
                     [](const ParameterValue& v) { return v.number > 1; });
}

}  // namespace dfsweep
