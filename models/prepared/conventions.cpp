#include "models/prepared/conventions.hpp"

#include <algorithm>
#include <string>

#include "models/absent.hpp"
#include "models/short_number.hpp"

namespace dfsweep {

bool is_default(const ParameterInfo& info, const ParameterValue& value) {
  if (info.absence == Absence::from_entry)
    return !is_given(value.number) && value.text.empty() && value.entry == nullptr;
  return (value.text.empty() ? short_number(value.number) : value.text) == info.fallback;
}

std::vector<ValueProblem> mixed_conventions(const SweepValues& values, ParameterIndex convention,
                                            std::string_view what_differs) {
  const std::vector<ParameterValue>& given = values.parameters[convention].values;
  for (std::size_t v = 1; v < given.size(); ++v)
    if (given[v].text != given.front().text)
      return {{convention, v, "two conventions in one sweep", std::string(what_differs), "Write a sweep for each", {}}};
  return {};
}

std::vector<ValueProblem> unread_values(const SweepValues& values, std::span<const ParameterInfo> parameters,
                                        const std::function<bool(ParameterIndex)>& is_unread, std::string_view reason,
                                        std::string_view hint) {
  std::vector<ValueProblem> problems;
  for (ParameterIndex p = 0; p < parameters.size(); ++p) {
    if (!is_unread(p)) continue;
    const ParameterInfo& info = parameters[p];
    const std::vector<ParameterValue>& given = values.parameters[p].values;
    const auto found = std::find_if_not(given.begin(), given.end(), [&](const auto& v) { return is_default(info, v); });
    if (found == given.end()) continue;
    problems.push_back({p,
                        static_cast<std::size_t>(found - given.begin()),
                        "'" + std::string(info.name) + "' changes nothing",
                        std::string(reason),
                        std::string(hint),
                        {}});
  }
  return problems;
}

std::vector<ValueProblem> unread_by_convention(const SweepValues& values, std::span<const ParameterInfo> parameters,
                                               const std::function<bool(ParameterIndex)>& is_unread,
                                               std::string_view convention, std::string_view other) {
  return unread_values(values, parameters, is_unread, "convention '" + std::string(convention) + "' does not read it",
                       "Leave it out, or write convention = \"" + std::string(other) + "\"");
}

}  // namespace dfsweep
