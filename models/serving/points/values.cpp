#include "models/serving/points/values.hpp"

#include <algorithm>
#include <limits>

#include "models/absent.hpp"
#include "models/kernels/software_table.hpp"
#include "models/prepared/value_decoder.hpp"
#include "models/serving/points/conventions.hpp"

namespace dfsweep::serving {

namespace {

/// What `decode` makes of every value that names an entry.
template <class Value, class Decode>
std::vector<std::optional<Value>> named(ValueDecoder& decoder, Parameter parameter, Decode decode) {
  return decoder.each<std::optional<Value>>(parameter, [&](const ParameterValue& value) -> std::optional<Value> {
    if (value.entry == nullptr) return std::nullopt;
    return decoder.checked(decode(*value.entry));
  });
}

bool is_given_everywhere(const SweepValues& values, Parameter parameter) {
  const std::vector<ParameterValue>& given = values[parameter].values;
  return std::all_of(given.begin(), given.end(),
                     [](const ParameterValue& v) { return v.entry != nullptr || is_given(v.number); });
}

/// A point needs a system, or a device and a memory, of which the bandwidth is enough; the study of the convention
/// dfmodel the latter.
void add_missing_hardware(const SweepValues& values, std::vector<ValueProblem>& problems) {
  using enum Parameter;
  const bool is_study = is_of_study(values);
  if (!is_study && is_given_everywhere(values, system)) return;
  for (const Parameter p : {device, memory}) {
    if (values[p].values.empty() || is_given_everywhere(values, p)) continue;
    if (p == memory && is_given_everywhere(values, dram_bandwidth)) continue;
    const std::string name{parameters()[index_of(p)].name};
    problems.push_back({index_of(p),
                        0,
                        "'" + name + "' is missing",
                        is_study ? "convention 'dfmodel' describes a machine by device, memory and interconnect"
                                 : "no system is given at every point, which would have one",
                        is_study ? "" : "Give system, or device, memory and interconnect",
                        {}});
  }
}

/// Several devices need links.
void add_missing_links(const SweepValues& values, std::vector<ValueProblem>& problems) {
  using enum Parameter;
  const auto is_several = [&](Parameter p) {
    const std::vector<ParameterValue>& given = values[p].values;
    return std::any_of(given.begin(), given.end(), [](const ParameterValue& v) { return v.number > 1; });
  };
  if (!is_several(tensor_parallel) && !is_several(pipeline_parallel)) return;
  if (!is_of_study(values) && is_given_everywhere(values, system)) return;
  if (is_given_everywhere(values, interconnect) || is_given_everywhere(values, link_bandwidth)) return;
  problems.push_back({index_of(interconnect),
                      0,
                      "'interconnect' is missing",
                      "several devices share a model",
                      "Give interconnect or link_bandwidth",
                      {}});
}

/// Measured tables are chosen by device.
void add_missing_device(const SweepValues& values, std::vector<ValueProblem>& problems) {
  if (!has_profiles(values) || is_given_everywhere(values, Parameter::device)) return;
  problems.push_back({index_of(Parameter::device),
                      0,
                      "'device' is missing",
                      "measured tables are of devices",
                      "Give device beside system, or leave profiles out",
                      {}});
}

void add_missing_draft(const SweepValues& values, std::vector<ValueProblem>& problems) {
  const std::vector<ParameterValue>& given = values[Parameter::speculation].values;
  const bool drafts = std::any_of(given.begin(), given.end(), [](const auto& v) { return v.text != "none"; });
  if (!drafts || is_given_everywhere(values, Parameter::draft_model)) return;
  problems.push_back({index_of(Parameter::draft_model),
                      0,
                      "'draft_model' is missing",
                      "speculation needs a model that drafts",
                      "",
                      {}});
}

void decode_entries(ValueDecoder& decoder, DecodedValues& all) {
  using enum Parameter;
  all.models = decoder.each<training::Architecture>(
      model, [&](const ParameterValue& value) { return decoder.checked(training::decode_architecture(*value.entry)); });
  all.drafts = named<training::Architecture>(decoder, draft_model, training::decode_architecture);
  all.systems = named<training::System>(decoder, system, [&](const Entry& entry) {
    if (entry.has_number("peak_flops") || !entry.parts.contains("engine")) return training::decode_system(entry);
    decoder.complain("system '" + entry.name + "' is described for convention 'calculon' of training",
                     "it has tables of engines and no peak_flops", "Name another system, such as dgx-h100");
    return Decoded<training::System>{};
  });
  all.devices = named<hardware::Device>(decoder, device, hardware::decode_device);
  all.memories = named<hardware::Memory>(decoder, memory, hardware::decode_memory);
  all.interconnects = named<hardware::Interconnect>(decoder, interconnect, hardware::decode_interconnect);
  all.topologies = named<network::Topology>(decoder, topology, network::decode_topology);
  all.software = named<ServingSoftware>(decoder, software, kernels::decode_serving_software);
  all.trusts = named<Trust>(decoder, software, decode_trust);
}

DecodedValues decode_into(const SweepValues& values, std::vector<ValueProblem>& problems) {
  ValueDecoder decoder(values, estimator_name);
  DecodedValues all;
  decode_entries(decoder, all);
  all.numbers = decoded_numbers<Parameter>(values, parameters());
  problems = decoder.take();
  add_missing_hardware(values, problems);
  add_missing_links(values, problems);
  add_missing_device(values, problems);
  add_missing_draft(values, problems);
  return all;
}

}  // namespace

bool has_profiles(const SweepValues& values) {
  return std::any_of(values.data.begin(), values.data.end(), [](const auto& data) { return !data.tables.empty(); });
}

hardware::Memory memory_of(const DecodedValues& values, const PointValues& v) {
  constexpr double no_end = std::numeric_limits<double>::infinity();
  hardware::Memory memory{Bandwidth{}, Bytes{no_end}, PricePerBandwidth{absent}, PowerPerBandwidth{absent}};
  memory = values.memories[v.code(Parameter::memory)].value_or(memory);
  memory.bandwidth = Bandwidth{v.number_or(Parameter::dram_bandwidth, memory.bandwidth.value())};
  memory.capacity = Bytes{v.number_or(Parameter::dram_capacity, memory.capacity.value())};
  return memory;
}

DecodedValues decode_values(const SweepValues& values) {
  std::vector<ValueProblem> problems;
  DecodedValues all = decode_into(values, problems);
  if (!problems.empty()) throw InvalidValues(std::move(problems));
  return all;
}

std::vector<ValueProblem> problems_of_values(const SweepValues& values) {
  std::vector<ValueProblem> problems;
  static_cast<void>(decode_into(values, problems));
  return problems;
}

}  // namespace dfsweep::serving
