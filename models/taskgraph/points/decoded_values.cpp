/// Decoding of parameter values; collects all problems.
#include "models/taskgraph/points/decoded_values.hpp"

#include <algorithm>

#include "models/absent.hpp"
#include "models/prepared/conventions.hpp"
#include "models/prepared/value_decoder.hpp"
#include "models/short_number.hpp"
#include "models/transformer/entry.hpp"

namespace dfsweep::taskgraph {

namespace {

/// Sizes missing in the entry stay absent; they follow from parameters of the point.
Decoded<Transformer> transformer_of(const Entry* entry) {
  constexpr double most_layers = 1e5;  // each layer becomes tasks
  Decoded<Transformer> decoded;
  Transformer& d = decoded.value;
  d.layers = d.hidden = d.heads = d.key_value_heads = d.head_dim = d.ffn_hidden = absent;
  if (entry == nullptr) return decoded;
  Decoded<TransformerEntry> read = decode_transformer(*entry);
  const TransformerEntry& t = read.value;
  if (t.layers > most_layers)
    read.problems.push_back(
        {"'layers' is " + short_number(t.layers), "the maximum is " + short_number(most_layers), {"layers"}});
  if (t.has_experts()) require_parts(t, read.problems);
  d.layers = t.layers;
  d.hidden = t.hidden;
  d.heads = t.heads;
  d.key_value_heads = t.key_value_heads;
  d.head_dim = t.head_dim;
  d.ffn_hidden = t.has_experts() ? t.expert_ffn_hidden : t.ffn_hidden;
  d.up_products = 1.0 + given_or(t.gated_ffn, 0);
  d.experts = given_or(t.experts, 0);
  d.experts_per_token = given_or(t.experts_per_token, 0);
  d.shared_ffn_hidden = t.has_experts() ? given_or(t.shared_ffn_hidden, 0) : 0;
  d.dense_layers = t.has_experts() ? given_or(t.dense_layers, 0) : 0;
  d.window = given_or(t.windowed_layers, 1) > 0 ? given_or(t.window, 0) : 0;
  d.has_latent_attention = t.has_latent_attention();
  d.has_unlike_attention = t.has_linear_layers() || t.has_indexer() || given_or(t.gated_attention, 0) > 0;
  decoded.problems = std::move(read.problems);
  return decoded;
}

bool some_absent(const SweepValues::Parameter& parameter) {
  return std::any_of(parameter.values.begin(), parameter.values.end(),
                     [](const ParameterValue& v) { return v.entry == nullptr && !is_given(v.number); });
}

TaskGraphDevice device_of(const SweepValues& values, const Entry& entry, ValueDecoder& decoder) {
  const Device chip = decoder.checked(decode_device(entry));
  if (!is_given(chip.memory_bandwidth) && some_absent(values[Parameter::memory]) &&
      some_absent(values[Parameter::dram_bandwidth]))
    decoder.complain("no memory bandwidth for '" + entry.name + "'", "the device has no field 'memory_bandwidth'",
                     "Give the parameter memory");
  if (!(chip.sram_capacity > Bytes{}) && some_absent(values[Parameter::cache_capacity]) &&
      std::any_of(values[Parameter::strategy].values.begin(), values[Parameter::strategy].values.end(),
                  [](const ParameterValue& v) { return v.entry == nullptr && v.text == "layerwise"; }))
    decoder.complain("no cache for '" + entry.name + "'", "the device has no field 'sram_capacity'",
                     "Give the parameter cache_capacity");
  return {chip, chip.peak_flops.value(), chip.memory_bandwidth.value(), chip.sram_capacity.value()};
}

LinkValues link_of(const Entry* entry, ValueDecoder& decoder) {
  if (entry == nullptr) return {};
  const Interconnect link = decoder.checked(decode_interconnect(*entry));
  return {link, link.bandwidth.value(), link.latency.value()};
}

double index_of_choice(std::span<const std::string_view> choices, const ParameterValue& value) {
  const auto found = std::find(choices.begin(), choices.end(), value.text);
  return found == choices.end() ? value.number : static_cast<double>(found - choices.begin());
}

void decode_strategies(ValueDecoder& decoder, TaskGraphValues& all) {
  all.graphs = decoder.each<std::unique_ptr<const GivenGraph>>(
      Parameter::strategy, [&](const ParameterValue& value) -> std::unique_ptr<const GivenGraph> {
        if (value.entry == nullptr) return nullptr;
        return std::make_unique<const GivenGraph>(decoder.checked(decode_given_graph(*value.entry)));
      });
  const std::span<const std::string_view> names = parameters()[index_of(Parameter::strategy)].choices;
  all.strategies = decoder.each<Strategy>(Parameter::strategy, [&](const ParameterValue& value) {
    return value.entry != nullptr ? Strategy::given
                                  : static_cast<Strategy>(static_cast<std::uint8_t>(index_of_choice(names, value)));
  });
}

/// Whether only built-in strategies read a parameter.
bool is_of_built_in_alone(Parameter p) {
  const auto is_between = [&](Parameter first, Parameter last) { return first <= p && p <= last; };
  return is_between(Parameter::model, Parameter::ffn_hidden) || is_between(Parameter::device_count, Parameter::phase) ||
         p == Parameter::attention_kernel || is_between(Parameter::cache_capacity, Parameter::nodes) ||
         p == Parameter::convention;
}

/// Problems of values that no point reads, where all strategies are given graphs.
std::vector<ValueProblem> unread_by_given_graphs(const SweepValues& values) {
  const std::vector<ParameterValue>& strategies = values[Parameter::strategy].values;
  const bool all_given = !strategies.empty() && std::all_of(strategies.begin(), strategies.end(),
                                                            [](const auto& value) { return value.entry != nullptr; });
  if (!all_given) return {};
  return unread_values(
      values, parameters(), [](ParameterIndex p) { return is_of_built_in_alone(static_cast<Parameter>(p)); },
      "a graph of tasks from a file defines its work and groups", "Leave it out, or add a strategy that reads it");
}

TaskGraphValues decoded_values(const SweepValues& values, ValueDecoder& decoder) {
  TaskGraphValues all;
  decode_strategies(decoder, all);
  all.models = decoder.each<Transformer>(
      Parameter::model, [&](const ParameterValue& value) { return decoder.checked(transformer_of(value.entry)); });
  all.devices = decoder.each<TaskGraphDevice>(
      Parameter::device, [&](const ParameterValue& value) { return device_of(values, *value.entry, decoder); });
  all.memories = decoder.each_entry<Memory>(Parameter::memory, decode_memory);
  all.links = decoder.each<LinkValues>(Parameter::interconnect,
                                       [&](const ParameterValue& value) { return link_of(value.entry, decoder); });
  all.outer_links = decoder.each<LinkValues>(
      Parameter::outer_interconnect, [&](const ParameterValue& value) { return link_of(value.entry, decoder); });
  all.attention_times = decoder.each<AttentionTime>(Parameter::attention_kernel, [](const ParameterValue& value) {
    return value.text == "flash" ? flash_attention_time : materialized_attention_time;
  });
  all.conventions = decoder.each<const Convention*>(
      Parameter::convention, [](const ParameterValue& value) { return &convention_named(value.text); });
  all.is_best_pool =
      decoder.each<bool>(Parameter::pool_devices, [](const ParameterValue& value) { return value.is_best(); });
  for (const Parameter p : all_of<Parameter>)
    all.numbers[p] = decoder.each<double>(
        p, [&](const ParameterValue& value) { return index_of_choice(parameters()[index_of(p)].choices, value); });
  return all;
}

}  // namespace

TaskGraphValues decode_values(const SweepValues& values, std::span<const DataProblem> data_problems) {
  ValueDecoder decoder(values, estimator_name);
  TaskGraphValues all = decoded_values(values, decoder);
  std::vector<ValueProblem> problems = decoder.take();
  if (!problems.empty() || !data_problems.empty())
    throw InvalidValues(std::move(problems), {data_problems.begin(), data_problems.end()});
  return all;
}

std::vector<ValueProblem> problems_of_values(const SweepValues& values) {
  ValueDecoder decoder(values, estimator_name);
  static_cast<void>(decoded_values(values, decoder));
  std::vector<ValueProblem> problems = decoder.take();
  const std::vector<ValueProblem> unread = unread_by_given_graphs(values);
  problems.insert(problems.end(), unread.begin(), unread.end());
  return problems;
}

}  // namespace dfsweep::taskgraph
