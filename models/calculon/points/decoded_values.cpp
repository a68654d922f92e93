/// Decoding of values by the published table.
#include "models/calculon/points/decoded_values.hpp"

#include <algorithm>

#include "models/absent.hpp"
#include "models/prepared/value_decoder.hpp"

namespace dfsweep::calculon {

namespace {

constexpr Datatype known_datatypes[] = {Datatype::float32, Datatype::bfloat16, Datatype::float16, Datatype::float8};
constexpr Attention known_attentions[] = {Attention::multihead, Attention::multiquery};
constexpr Recompute known_recomputes[] = {Recompute::full, Recompute::attention, Recompute::none};
constexpr TensorComm known_tensor_comms[] = {TensorComm::all_reduce, TensorComm::p2p_reduce_scatter_all_gather,
                                             TensorComm::reduce_scatter_all_gather};
constexpr TensorOverlap known_tensor_overlaps[] = {TensorOverlap::none, TensorOverlap::ring, TensorOverlap::pipe};

/// The choice's value; further choices are unknown.
template <class Value, std::size_t size>
Value known(const Value (&table)[size], std::int64_t choice) {
  return choice < static_cast<std::int64_t>(size) ? table[choice] : Value::unknown;
}

std::int64_t choice_index(const ParameterInfo& info, const std::string& text) {
  return std::find(info.choices.begin(), info.choices.end(), text) - info.choices.begin();
}

std::int64_t whole_value(const ParameterInfo& info, const ParameterValue& value) {
  if (info.kind == ParameterKind::choice) return choice_index(info, value.text);
  return is_given(value.number) ? static_cast<std::int64_t>(value.number) : derived;
}

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

DecodedValues decode_into(const SweepValues& values, ValueDecoder& decoder) {
  DecodedValues decoded;
  const bool takes_batch = takes_batch_of_model(values);
  decoded.models = decoder.each<TrainedModel>(Parameter::model, [&](const ParameterValue& value) {
    const TrainedModel model = decoder.checked(decode_trained_model(*value.entry));
    if (takes_batch && model.global_batch == 0) complain_of_batch(decoder, *value.entry);
    return model;
  });
  decoded.systems = decoder.each<TrainingSystem>(Parameter::system, [&](const ParameterValue& value) {
    return decoder.checked(decode_training_system(*value.entry));
  });
  for (const Parameter p : all_of<Parameter>) {
    const ParameterInfo& info = parameters()[index_of(p)];
    if (info.kind != ParameterKind::integer && info.kind != ParameterKind::choice) continue;
    for (const ParameterValue& value : values[p].values) decoded.whole[p].push_back(whole_value(info, value));
  }
  return decoded;
}

}  // namespace

DecodedValues decode_values(const SweepValues& values) {
  ValueDecoder decoder(values, estimator_name);
  DecodedValues decoded = decode_into(values, decoder);
  std::vector<ValueProblem> problems = decoder.take();
  for (ValueProblem& each : whole_run::problems_of_run(values, run_places())) problems.push_back(std::move(each));
  if (!problems.empty()) throw InvalidValues(std::move(problems));
  return decoded;
}

std::vector<ValueProblem> problems_of_values(const SweepValues& values) {
  ValueDecoder decoder(values, estimator_name);
  static_cast<void>(decode_into(values, decoder));
  std::vector<ValueProblem> problems = decoder.take();
  for (ValueProblem& each : whole_run::problems_of_run(values, run_places())) problems.push_back(std::move(each));
  return problems;
}

Datatype datatype_of(std::int64_t choice) {
  return known(known_datatypes, choice);
}
Attention attention_of(std::int64_t choice) {
  return known(known_attentions, choice);
}
Recompute recompute_of(std::int64_t choice) {
  return known(known_recomputes, choice);
}
TensorComm tensor_comm_of(std::int64_t choice) {
  return known(known_tensor_comms, choice);
}
TensorOverlap tensor_overlap_of(std::int64_t choice) {
  return known(known_tensor_overlaps, choice);
}

}  // namespace dfsweep::calculon
