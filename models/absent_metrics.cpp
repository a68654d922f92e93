/// Fields that metrics need and entries lack.
#include "models/absent_metrics.hpp"

#include <algorithm>

#include "models/absent.hpp"

namespace dfsweep {

namespace {

/// A required field, split from "device.price" into parameter and field.
struct Need {
  std::string_view parameter;
  std::string_view field;
};

Need need_of(std::string_view path) {
  const std::size_t dot = path.find('.');
  DFSWEEP_EXPECT(dot != std::string_view::npos);
  return {path.substr(0, dot), path.substr(dot + 1)};
}

/// Whether a parameter replaces the field at every point.
bool is_replaced(std::string_view path, std::span<const ParameterInfo> parameters, const SweepValues& values) {
  for (ParameterIndex p = 0; p < parameters.size(); ++p) {
    const std::vector<ParameterValue>& given = values.parameters[p].values;
    if (parameters[p].overrides == path)
      return std::all_of(given.begin(), given.end(), [](const ParameterValue& v) { return is_given(v.number); });
  }
  return false;
}

/// Fields that metrics need from the entries of a parameter, without duplicates, in the order of the metrics.
std::vector<std::string_view> needs_of(std::string_view parameter, std::span<const MetricInfo> metrics) {
  std::vector<std::string_view> paths;
  for (const MetricInfo& metric : metrics)
    for (const std::string_view path : metric.needs)
      if (need_of(path).parameter == parameter && std::find(paths.begin(), paths.end(), path) == paths.end())
        paths.push_back(path);
  return paths;
}

std::vector<MetricIndex> metrics_that_need(std::string_view path, std::span<const MetricInfo> metrics) {
  std::vector<MetricIndex> found;
  for (MetricIndex m = 0; m < metrics.size(); ++m)
    if (std::find(metrics[m].needs.begin(), metrics[m].needs.end(), path) != metrics[m].needs.end()) found.push_back(m);
  return found;
}

}  // namespace

std::vector<AbsentMetrics> absent_metrics(std::span<const ParameterInfo> parameters,
                                          std::span<const MetricInfo> metrics, const SweepValues& values) {
  std::vector<AbsentMetrics> found;
  for (ParameterIndex p = 0; p < parameters.size(); ++p) {
    std::vector<std::string_view> paths = needs_of(parameters[p].name, metrics);
    std::erase_if(paths, [&](std::string_view path) { return is_replaced(path, parameters, values); });
    const std::vector<ParameterValue>& given = values.parameters[p].values;
    for (std::size_t v = 0; v < given.size(); ++v)
      for (const std::string_view path : paths)
        if (given[v].entry != nullptr && !given[v].entry->has_number(need_of(path).field))
          found.push_back({metrics_that_need(path, metrics), p, v, need_of(path).field});
  }
  return found;
}

std::string text_of(const AbsentMetrics& lack, std::span<const ParameterInfo> parameters,
                    std::span<const MetricInfo> metrics, const SweepValues& values) {
  std::string text;
  for (const MetricIndex m : lack.metrics) text += (text.empty() ? "" : ", ") + std::string(metrics[m].name);
  const ParameterValue& value = values.parameters[lack.parameter].values[lack.value];
  return text + ": " + std::string(parameters[lack.parameter].name) + " '" + value.text + "' has no '" +
         std::string(lack.field) + "'";
}

}  // namespace dfsweep
