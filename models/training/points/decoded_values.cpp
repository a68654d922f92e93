#include "models/training/points/decoded_values.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "models/absent.hpp"
#include "models/kernels/software_table.hpp"
#include "models/prepared/value_decoder.hpp"
#include "models/transformer/entry.hpp"

namespace dfsweep::training {

namespace {

/// Whether some point may take its global batch from its model: neither global_batch nor max_batch is given there.
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

/// Links without a bandwidth would take forever.
void complain_of_links(const SweepValues& values, ValueDecoder& decoder, const Entry& system) {
  const std::pair<std::string_view, Parameter> links[] = {{"node_bandwidth", Parameter::link_bandwidth},
                                                          {"network_bandwidth", Parameter::outer_link_bandwidth}};
  for (const auto& [field, parameter] : links) {
    const std::vector<ParameterValue>& given = values[parameter].values;
    const bool is_open = std::any_of(given.begin(), given.end(), [](const auto& v) { return !is_given(v.number); });
    if (!is_open || system.has_number(field)) continue;
    decoder.complain("no bandwidth of links for '" + system.name + "'",
                     "the system has no field '" + std::string(field) + "'",
                     "Give the parameter " + std::string(parameters()[index_of(parameter)].name));
  }
}

/// What `decode` makes of every value that names an entry.
template <class Value, class Decode>
std::vector<std::optional<Value>> named(ValueDecoder& decoder, Parameter parameter, Decode decode) {
  return decoder.each<std::optional<Value>>(parameter, [&](const ParameterValue& value) -> std::optional<Value> {
    if (value.entry == nullptr) return std::nullopt;
    return decoder.checked(decode(*value.entry));
  });
}

/// Without sizes where none are given.
Shape shape_of(ValueDecoder& decoder, const ParameterValue& value) {
  if (value.text.empty()) return {};
  const std::optional<Shape> shape = parse_shape(value.text);
  if (!shape)
    decoder.complain("shape '" + value.text + "' is not a product of sizes", "one to three whole numbers joined by x",
                     "write \"8x128\"");
  return shape.value_or(Shape{});
}

void decode_entries(const SweepValues& values, ValueDecoder& decoder, DecodedValues& all) {
  const bool takes_batch = takes_batch_of_model(values);
  all.models = decoder.each<Architecture>(Parameter::model, [&](const ParameterValue& value) {
    const TransformerEntry model = decoder.checked(decode_transformer(*value.entry));
    all.sequence_lengths.push_back(model.sequence_length);
    all.global_batches.push_back(model.global_batch);
    if (takes_batch && !is_given(model.global_batch)) complain_of_batch(decoder, *value.entry);
    return decoder.checked(architecture_of(model));
  });
  all.systems = named<System>(decoder, Parameter::system, [&](const Entry& entry) {
    complain_of_links(values, decoder, entry);
    return decode_system(entry);
  });
  all.devices = named<Device>(decoder, Parameter::device, decode_device);
  all.memories = named<Memory>(decoder, Parameter::memory, decode_memory);
  all.interconnects = named<Interconnect>(decoder, Parameter::interconnect, decode_interconnect);
  all.outer_interconnects = named<Interconnect>(decoder, Parameter::outer_interconnect, decode_interconnect);
  all.topologies = named<Topology>(decoder, Parameter::topology, decode_topology);
  all.shapes =
      decoder.each<Shape>(Parameter::shape, [&](const ParameterValue& value) { return shape_of(decoder, value); });
  all.software = named<Software>(decoder, Parameter::software, decode_software);
  all.trusts = named<Trust>(decoder, Parameter::software, decode_trust);
  all.capabilities = named<Capabilities>(decoder, Parameter::software, decode_capabilities);
  all.evidence = EvidenceTable(values[Parameter::system], values[Parameter::software], estimator_name);
  all.state_bytes = decoder.each<std::optional<StateBytes>>(
      Parameter::state_bytes, [&](const ParameterValue& value) -> std::optional<StateBytes> {
        if (value.text.empty()) return std::nullopt;
        const auto bytes = state_bytes_of(value.text);
        if (!bytes)
          decoder.complain("'" + value.text + "' is no list of three numbers",
                           "bytes of weight, gradient and optimizer", "write \"2/4/12\"");
        return bytes;
      });
}

}  // namespace

std::optional<StateBytes> state_bytes_of(std::string_view text) {
  StateBytes bytes;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (double* number : {&bytes.weight, &bytes.gradient, &bytes.optimizer}) {
    if (number != &bytes.weight && (at == end || *at++ != '/')) return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, *number);
    if (error != std::errc{} || *number < 0) return std::nullopt;
    at = next;
  }
  return at == end ? std::optional(bytes) : std::nullopt;
}

DecodedValues decoded_values(const SweepValues& values) {
  ValueDecoder decoder(values, estimator_name);
  DecodedValues all;
  decode_entries(values, decoder, all);
  all.numbers = decoded_numbers<Parameter>(values, parameters());
  std::vector<ValueProblem> problems = decoder.take();
  for (ValueProblem& problem : whole_run::problems_of_run(values, run_places)) problems.push_back(std::move(problem));
  if (!problems.empty()) throw InvalidValues(std::move(problems));
  return all;
}

std::vector<ValueProblem> problems_of_values(const SweepValues& values) {
  ValueDecoder decoder(values, estimator_name);
  DecodedValues all;
  decode_entries(values, decoder, all);
  std::vector<ValueProblem> problems = decoder.take();
  for (ValueProblem& problem : whole_run::problems_of_run(values, run_places)) problems.push_back(std::move(problem));
  return problems;
}

}  // namespace dfsweep::training
