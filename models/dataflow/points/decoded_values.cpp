/// Decoding of parameter values; collects all problems.
#include "models/dataflow/points/decoded_values.hpp"

#include <algorithm>
#include <cmath>

#include "models/absent.hpp"
#include "models/dataflow/workload/workload.hpp"
#include "models/prepared/value_decoder.hpp"

namespace dfsweep::dataflow {

namespace {

template <class Choice>
struct Named {
  std::string_view name;
  Choice choice;
};

/// The choice with this name; empty for an absent value.
template <class Choice, std::size_t count>
std::optional<Choice> choice_named(const Named<Choice> (&choices)[count], const std::string& text) {
  for (const Named<Choice>& candidate : choices)
    if (candidate.name == text) return candidate.choice;
  return std::nullopt;
}

constexpr Named<Overlap> overlap_names[] = {
    {"perfect", Overlap::perfect}, {"none", Overlap::none}, {"network_exposed", Overlap::network_exposed}};
constexpr Named<SramAccounting> sram_names[] = {
    {"code", SramAccounting::code}, {"paper", SramAccounting::paper}, {"split", SramAccounting::split}};
constexpr Named<SinkSharding> sink_names[] = {{"sharded", SinkSharding::sharded},
                                              {"replicated", SinkSharding::replicated}};

Shape decode_shape(ValueDecoder& decoder, const ParameterValue& value) {
  if (value.text.empty()) return {};
  const std::optional<Shape> shape = parse_shape(value.text);
  if (!shape)
    decoder.complain("shape '" + value.text + "' is not a product of sizes",
                     "it needs one to three positive whole numbers joined by 'x'", "Write \"8x128\"");
  return shape.value_or(Shape{});
}

MappingValue decode_mapping_value(ValueDecoder& decoder, const ParameterValue& value) {
  if (value.entry == nullptr) {
    if (value.text == "best") return {MappingValue::Kind::best, {}};
    const bool single = value.text == "single_partition";
    return {single ? MappingValue::Kind::single_partition : MappingValue::Kind::kernel_by_kernel, {}};
  }
  return {MappingValue::Kind::given, decoder.checked(decode_mapping(*value.entry))};
}

/// Whether stages of a pipeline may share a graph at some point: the model is not a repeated layer, the convention
/// allows it, and the pipeline may have more than one stage (by the shape, where dimensions of the network have roles).
bool may_have_stages(const SweepValues& values, const DecodedValues& decoded, const Workload& workload) {
  const bool allowed = std::any_of(decoded.conventions.begin(), decoded.conventions.end(),
                                   [](const Convention* c) { return c->stage_rule == StageRule::kernels; });
  if (!allowed || workload.layers != 1.0 || workload.graph.kernels.size() == 1) return false;
  const bool has_roles = workload.spread == Spread::tensor_parallel;
  const auto some = [&values](Parameter p, auto holds) {
    return std::any_of(values[p].values.begin(), values[p].values.end(), holds);
  };
  return some(Parameter::pipeline_parallel,
              [has_roles](const ParameterValue& v) {
                return v.is_best() || v.number > 1.0 || (has_roles && !is_given(v.number));
              }) ||
         some(Parameter::dimension_roles, [](const ParameterValue& v) { return v.text != "in_order"; });
}

/// Checks every model as a workload, with the sequence length of the sweep where all points have one.
void check_models(ValueDecoder& decoder, const SweepValues& values, DecodedValues& decoded) {
  const auto is_absent = [](double number) { return !is_given(number); };
  const std::vector<double>& lengths = decoded.numbers[Parameter::sequence_length];
  const std::vector<double>& batches = decoded.numbers[Parameter::global_batch];
  WorkloadChoices choices;
  if (std::none_of(lengths.begin(), lengths.end(), is_absent)) choices.sequence_length = 1.0;
  const bool needs_batch = std::any_of(batches.begin(), batches.end(), is_absent);
  decoder.each<char>(Parameter::model, [&](const ParameterValue& value) {
    const DecodedWorkload workload = decode_workload(*value.entry, choices);
    for (const EntryProblem& problem : workload.problems) decoder.complain(problem);
    if (workload.problems.empty() && needs_batch && !is_given(workload.workload.global_batch))
      decoder.complain({"'global_batch' is missing", "neither the model nor [parameters] gives it", {"global_batch"}});
    decoded.some_stages |= workload.problems.empty() && may_have_stages(values, decoded, workload.workload);
    return '\0';
  });
}

DecodedValues decoded_values(const SweepValues& values, ValueDecoder& decoder) {
  DecodedValues d;
  for (const Parameter p : all_of<Parameter>)
    d.numbers[p] = decoder.each<double>(p, [](const ParameterValue& value) { return value.number; });
  d.devices = decoder.each<Device>(Parameter::device,
                                   [&](const ParameterValue& v) { return decoder.checked(decode_device(*v.entry)); });
  d.memories = decoder.each<Memory>(Parameter::memory,
                                    [&](const ParameterValue& v) { return decoder.checked(decode_memory(*v.entry)); });
  d.interconnects = decoder.each<Interconnect>(
      Parameter::interconnect, [&](const ParameterValue& v) { return decoder.checked(decode_interconnect(*v.entry)); });
  d.outer_interconnects = decoder.each<std::optional<Interconnect>>(
      Parameter::outer_interconnect, [&](const ParameterValue& v) -> std::optional<Interconnect> {
        if (v.entry == nullptr) return std::nullopt;
        return decoder.checked(decode_interconnect(*v.entry));
      });
  d.topologies = decoder.each<Topology>(
      Parameter::topology, [&](const ParameterValue& v) { return decoder.checked(decode_topology(*v.entry)); });
  d.shapes = decoder.each<Shape>(Parameter::shape, [&](const ParameterValue& v) { return decode_shape(decoder, v); });
  d.conventions = decoder.each<const Convention*>(Parameter::convention,
                                                  [](const ParameterValue& v) { return &convention_named(v.text); });
  d.mappings = decoder.each<MappingValue>(Parameter::mapping,
                                          [&](const ParameterValue& v) { return decode_mapping_value(decoder, v); });
  d.overlaps = decoder.each<Overlap>(Parameter::overlap, [](const ParameterValue& v) {
    return choice_named(overlap_names, v.text).value_or(Overlap::perfect);
  });
  d.sram_accountings = decoder.each<std::optional<SramAccounting>>(
      Parameter::sram_accounting, [](const ParameterValue& v) { return choice_named(sram_names, v.text); });
  d.sink_shardings = decoder.each<std::optional<SinkSharding>>(
      Parameter::sink_sharding, [](const ParameterValue& v) { return choice_named(sink_names, v.text); });
  const std::vector<double>& utilizations = d.numbers[Parameter::compute_utilization];
  d.some_cycle_model = std::find(utilizations.begin(), utilizations.end(), 0.0) != utilizations.end();
  for (const ParameterValue& value : values[Parameter::sharding].values)
    d.some_least_time |= value.text != "least_bytes";
  for (const MappingValue& value : d.mappings) d.some_best_mapping |= value.kind == MappingValue::Kind::best;
  check_models(decoder, values, d);
  return d;
}

}  // namespace

DecodedValues decode_values(const SweepValues& values) {
  ValueDecoder decoder(values, estimator_name);
  DecodedValues decoded = decoded_values(values, decoder);
  std::vector<ValueProblem> problems = decoder.take();
  for (ValueProblem& each : whole_run::problems_of_run(values, run_places)) problems.push_back(std::move(each));
  if (!problems.empty()) throw InvalidValues(std::move(problems));
  return decoded;
}

std::vector<ValueProblem> problems_of_values(const SweepValues& values) {
  ValueDecoder decoder(values, estimator_name);
  static_cast<void>(decoded_values(values, decoder));
  std::vector<ValueProblem> problems = decoder.take();
  for (ValueProblem& each : whole_run::problems_of_run(values, run_places)) problems.push_back(std::move(each));
  return problems;
}

}  // namespace dfsweep::dataflow
