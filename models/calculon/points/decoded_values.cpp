/// Decoding of values by the published table.
#include "models/calculon/points/decoded_values.hpp"

#include <algorithm>

#include "models/absent.hpp"
#include "models/prepared/value_decoder.hpp"
#include "models/training/points/conventions.hpp"

namespace dfsweep::training::calculon {

namespace {

constexpr Datatype datatypes[] = {Datatype::float32, Datatype::bfloat16, Datatype::float16, Datatype::float8};
constexpr Attention attentions[] = {Attention::multihead, Attention::multiquery};
constexpr Recompute recomputes[] = {Recompute::full, Recompute::attention, Recompute::none};
constexpr TensorComm tensor_comms[] = {TensorComm::all_reduce, TensorComm::p2p_reduce_scatter_all_gather,
                                       TensorComm::reduce_scatter_all_gather};
constexpr TensorOverlap tensor_overlaps[] = {TensorOverlap::none, TensorOverlap::ring, TensorOverlap::pipe};

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

DecodedValues decode_into(const SweepValues& values, ValueDecoder& decoder) {
  DecodedValues decoded;
  const bool takes_batch = takes_batch_of_model(values);
  decoded.models = decoder.each<TrainedModel>(Parameter::model, [&](const ParameterValue& value) {
    decoded.model_names.push_back(value.entry->name);
    if (takes_batch && !value.entry->has_number("global_batch")) complain_of_batch(decoder, *value.entry);
    return decoder.checked(decode_trained_model(*value.entry));
  });
  decoded.systems = decoder.each<TrainingSystem>(Parameter::system, [&](const ParameterValue& value) {
    if (value.entry == nullptr) return TrainingSystem{};  // problems_of_conventions() says so
    decoded.system_names.push_back(value.entry->name);
    if (complain_of_other_convention(values, decoder, *value.entry)) return TrainingSystem{};
    return decoder.checked(decode_training_system(*value.entry));
  });
  for (const Parameter p : all_of<Parameter>) {
    const ParameterInfo& info = parameters()[index_of(p)];
    if (info.kind != ParameterKind::integer && info.kind != ParameterKind::choice) continue;
    for (const ParameterValue& value : values[p].values) decoded.whole[p].push_back(whole_value(info, value));
  }
  for (const ParameterValue& value : values[Parameter::train_tokens].values)
    decoded.train_tokens.push_back(value.number);
  return decoded;
}

}  // namespace

DecodedValues decode_values(const SweepValues& values) {
  ValueDecoder decoder(values, estimator_name);
  DecodedValues decoded = decode_into(values, decoder);
  if (std::vector<ValueProblem> problems = decoder.take(); !problems.empty()) throw InvalidValues(std::move(problems));
  return decoded;
}

std::vector<ValueProblem> problems_of_values(const SweepValues& values) {
  ValueDecoder decoder(values, estimator_name);
  static_cast<void>(decode_into(values, decoder));
  return decoder.take();
}

Datatype datatype_of(std::int64_t choice) {
  return known(datatypes, choice);
}
Attention attention_of(std::int64_t choice) {
  return known(attentions, choice);
}
Recompute recompute_of(std::int64_t choice) {
  return known(recomputes, choice);
}
TensorComm tensor_comm_of(std::int64_t choice) {
  return known(tensor_comms, choice);
}
TensorOverlap tensor_overlap_of(std::int64_t choice) {
  return known(tensor_overlaps, choice);
}

}  // namespace dfsweep::training::calculon
