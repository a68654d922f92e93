#include "models/inference/serving/points/conventions.hpp"

#include <algorithm>
#include <string>

#include "models/absent.hpp"
#include "models/inference/serving/points/published.hpp"
#include "models/short_number.hpp"

namespace dfsweep::serving {

namespace {

bool is_of_study_alone(Parameter p) {
  using enum Parameter;
  return p == topology || p == overlap || p == all_reduce_passes || p == num_tile || p == solver_gap;
}

bool is_of_physical_alone(Parameter p) {
  return p > Parameter::solver_gap || p == Parameter::system;
}

/// Whether a value is what the parameter has where the sweep does not give it.
bool is_default(const ParameterInfo& info, const ParameterValue& value) {
  if (info.absence == Absence::from_entry)
    return !is_given(value.number) && value.text.empty() && value.entry == nullptr;
  return (value.text.empty() ? short_number(value.number) : value.text) == info.fallback;
}

/// Of each parameter that the convention does not read, the first value that is not the default.
void add_unread(const SweepValues& values, bool (&is_unread)(Parameter), std::string_view convention,
                std::string_view other, std::vector<ValueProblem>& problems) {
  for (const Parameter p : all_of<Parameter>) {
    if (!is_unread(p)) continue;
    const ParameterInfo& info = parameters()[index_of(p)];
    const std::vector<ParameterValue>& given = values[p].values;
    const auto found = std::find_if_not(given.begin(), given.end(), [&](const auto& v) { return is_default(info, v); });
    if (found == given.end()) continue;
    problems.push_back({index_of(p),
                        static_cast<std::size_t>(found - given.begin()),
                        "'" + std::string(info.name) + "' changes nothing",
                        "convention '" + std::string(convention) + "' does not read it",
                        "Leave it out, or write convention = \"" + std::string(other) + "\"",
                        {}});
  }
}

}  // namespace

bool is_of_study(const SweepValues& values) {
  const std::vector<ParameterValue>& given = values[Parameter::convention].values;
  return !given.empty() && given.front().text == "dfmodel";
}

std::vector<ValueProblem> problems_of_conventions(const SweepValues& values) {
  const std::vector<ParameterValue>& given = values[Parameter::convention].values;
  if (given.empty()) return {};
  for (std::size_t v = 1; v < given.size(); ++v)
    if (given[v].text != given.front().text)
      return {{index_of(Parameter::convention),
               v,
               "two conventions in one sweep",
               "their parameters differ",
               "Write a sweep for each",
               {}}};
  std::vector<ValueProblem> problems;
  if (is_of_study(values))
    add_unread(values, is_of_physical_alone, "dfmodel", "physical", problems);
  else
    add_unread(values, is_of_study_alone, "physical", "dfmodel", problems);
  return problems;
}

}  // namespace dfsweep::serving
