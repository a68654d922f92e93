#include "models/training/points/conventions.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "models/absent.hpp"
#include "models/prepared/conventions.hpp"
#include "models/short_number.hpp"
#include "models/training/points/published.hpp"

namespace dfsweep::training {

namespace {

bool is_of_calculon_alone(Parameter p) {
  using enum Parameter;
  constexpr Parameter parameters[] = {tensor_network, pipeline_network,       data_network, fused_activation, attention,
                                      tensor_comm,    sequence_parallel_redo, data_overlap, weight_offload};
  return std::find(std::begin(parameters), std::end(parameters), p) != std::end(parameters);
}

bool is_of_physical_alone(Parameter p) {
  return p > Parameter::convention;
}

void add_unread(const SweepValues& values, bool (&is_unread)(Parameter), std::string_view convention,
                std::string_view other, std::vector<ValueProblem>& problems) {
  const std::vector<ValueProblem> unread = unread_by_convention(
      values, parameters(), [&](ParameterIndex p) { return is_unread(static_cast<Parameter>(p)); }, convention, other);
  problems.insert(problems.end(), unread.begin(), unread.end());
}

/// Some software was calibrated, and says so by this field.
bool is_calibrated(const SweepValues& values, std::string_view field) {
  const std::vector<ParameterValue>& software = values[Parameter::software].values;
  return std::any_of(software.begin(), software.end(), [&](const ParameterValue& value) {
    return value.entry != nullptr && value.entry->has_number(field);
  });
}

/// The tool shards the optimizer or nothing.
void add_sharding(const SweepValues& values, std::vector<ValueProblem>& problems) {
  const std::vector<ParameterValue>& given = values[Parameter::optimizer_sharding].values;
  const auto found = std::find_if(given.begin(), given.end(), [](const auto& v) { return v.number > 1.0; });
  if (found == given.end()) return;
  problems.push_back({index_of(Parameter::optimizer_sharding),
                      static_cast<std::size_t>(found - given.begin()),
                      "optimizer_sharding " + short_number(found->number),
                      "convention 'calculon' knows 0 and 1",
                      "Write convention = \"physical\"",
                      {}});
}

bool is_given_everywhere(const SweepValues& values, Parameter p) {
  const std::vector<ParameterValue>& given = values[p].values;
  return std::all_of(given.begin(), given.end(), [](const ParameterValue& v) { return v.entry != nullptr; });
}

/// A point needs a system; under the physical convention a device, a memory and links will do.
void add_missing_hardware(const SweepValues& values, std::vector<ValueProblem>& problems) {
  if (is_given_everywhere(values, Parameter::system)) return;
  const auto complain = [&](Parameter p, std::string reason, std::string hint) {
    const std::string name(training::parameters()[index_of(p)].name);
    problems.push_back({index_of(p), 0, "'" + name + "' is missing", std::move(reason), std::move(hint), {}});
  };
  if (!is_physical(values))
    return complain(Parameter::system, "convention 'calculon' describes a machine by a system", "");
  for (const Parameter p : {Parameter::device, Parameter::memory, Parameter::interconnect})
    if (!is_given_everywhere(values, p))
      complain(p, "no system is given at every point, which would have one",
               "Give system, or device, memory and interconnect");
}

}  // namespace

bool is_physical(const SweepValues& values) {
  const std::vector<ParameterValue>& given = values[Parameter::convention].values;
  return !given.empty() && given.front().text == "physical";
}

std::vector<ValueProblem> problems_of_conventions(const SweepValues& values) {
  const std::vector<ParameterValue>& given = values[Parameter::convention].values;
  if (given.empty()) return {};
  std::vector<ValueProblem> problems =
      mixed_conventions(values, index_of(Parameter::convention), "their parameters and metrics differ");
  if (!problems.empty()) return problems;
  if (is_physical(values)) {
    add_unread(values, is_of_calculon_alone, "physical", "calculon", problems);
  } else {
    add_unread(values, is_of_physical_alone, "calculon", "physical", problems);
    add_sharding(values, problems);
  }
  add_missing_hardware(values, problems);
  return problems;
}

bool applies_to_convention(MetricIndex metric, const SweepValues& values) {
  if (values[Parameter::convention].values.empty()) return true;
  if (metric >= count_of<Metric>) return !is_physical(values);
  if (metric >= index_of(Metric::expected_memory_error) && !is_calibrated(values, "expected_memory_error"))
    return false;
  if (metric >= index_of(Metric::expected_error) && metric < index_of(Metric::expected_memory_error) &&
      !is_calibrated(values, "expected_error"))
    return false;
  return metric < index_of(Metric::model_flops_utilization) || is_physical(values);
}

bool takes_batch_of_model(const SweepValues& values) {
  const auto is_left_open = [&](Parameter p) {
    return std::any_of(values[p].values.begin(), values[p].values.end(),
                       [](const ParameterValue& value) { return !is_given(value.number); });
  };
  return is_left_open(Parameter::global_batch) && is_left_open(Parameter::max_batch);
}

void complain_of_batch(ValueDecoder& decoder, const Entry& model) {
  decoder.complain("no global batch for '" + model.name + "'", "the model has no field 'global_batch'",
                   "Give the parameter global_batch or max_batch, in sequences");
}

bool complain_of_other_convention(const SweepValues& values, ValueDecoder& decoder, const Entry& system) {
  const bool has_engines = system.parts.contains("engine");
  const bool has_peak = system.has_number("peak_flops");
  if (has_engines == has_peak || has_peak == is_physical(values)) return false;
  const std::string name = "system '" + system.name + "'";
  if (has_engines)
    decoder.complain(name + " is described for convention 'calculon'", "it has tables of engines and no peak_flops",
                     "Write convention = \"calculon\", or name another system, such as dgx-a100-80g or dgx-h100");
  else
    decoder.complain(name + " is described for convention 'physical'", "it has a peak_flops and no tables of engines",
                     "Write convention = \"physical\", or name another system, such as a100_80g or h100_80g_nvl8");
  return true;
}

}  // namespace dfsweep::training
