#include "models/training/points/given_values.hpp"

#include <algorithm>
#include <string>

#include "models/training/points/published.hpp"

namespace dfsweep::training {

namespace {

/// Some software was calibrated, and says so by this field.
bool is_calibrated(const SweepValues& values, std::string_view field) {
  const std::vector<ParameterValue>& software = values[Parameter::software].values;
  return std::any_of(software.begin(), software.end(), [&](const ParameterValue& value) {
    return value.entry != nullptr && value.entry->has_number(field);
  });
}

bool is_given_everywhere(const SweepValues& values, Parameter p) {
  const std::vector<ParameterValue>& given = values[p].values;
  return std::all_of(given.begin(), given.end(), [](const ParameterValue& v) { return v.entry != nullptr; });
}

}  // namespace

std::vector<ValueProblem> missing_hardware(const SweepValues& values) {
  if (is_given_everywhere(values, Parameter::system)) return {};
  std::vector<ValueProblem> problems;
  for (const Parameter p : {Parameter::device, Parameter::memory, Parameter::interconnect}) {
    if (is_given_everywhere(values, p)) continue;
    const std::string name(parameters()[index_of(p)].name);
    problems.push_back({index_of(p),
                        0,
                        "'" + name + "' is missing",
                        "no system is given at every point, which would have one",
                        "Give system, or device, memory and interconnect",
                        {}});
  }
  return problems;
}

bool is_known(MetricIndex metric, const SweepValues& values) {
  if (metric >= count_of<Metric>) return whole_run::applies_to_run(metric, values, run_places);
  if (metric < index_of(Metric::expected_error)) return true;
  const bool is_of_time = metric < index_of(Metric::expected_memory_error);
  return is_calibrated(values, is_of_time ? "expected_error" : "expected_memory_error");
}

}  // namespace dfsweep::training
