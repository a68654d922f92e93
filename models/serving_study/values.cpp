#include "models/serving_study/values.hpp"

#include <algorithm>

#include "models/prepared/given_values.hpp"
#include "models/prepared/value_decoder.hpp"

namespace dfsweep::serving_study {

namespace {

/// A point needs the bandwidth of a memory, of links where chips share a model, and a draft where one is verified.
std::vector<ValueProblem> missing_values(const SweepValues& values) {
  using enum Parameter;
  std::vector<ValueProblem> problems;
  const auto complain = [&](Parameter parameter, std::string_view reason, std::string_view hint) {
    problems.push_back(missing_value(parameter, parameters(), reason, hint));
  };
  if (!is_given_everywhere(values[memory]) && !is_given_everywhere(values[dram_bandwidth]))
    complain(memory, "weights and caches are read from it", "Give memory or dram_bandwidth");
  const bool needs_links =
      is_above_one_somewhere(values[tensor_parallel]) || is_above_one_somewhere(values[pipeline_parallel]);
  if (needs_links && !is_given_everywhere(values[interconnect]) && !is_given_everywhere(values[link_bandwidth]))
    complain(interconnect, "several devices share a model", "Give interconnect or link_bandwidth");
  const std::vector<ParameterValue>& forms = values[speculation].values;
  const bool drafts = std::any_of(forms.begin(), forms.end(), [](const auto& v) { return v.text != "none"; });
  if (drafts && !is_given_everywhere(values[draft_model]))
    complain(draft_model, "speculation needs a model that drafts", "");
  return problems;
}

DecodedValues decode_into(const SweepValues& values, std::vector<ValueProblem>& problems) {
  using enum Parameter;
  ValueDecoder decoder(values, estimator_name);
  DecodedValues all;
  all.models = decoder.each<Architecture>(
      model, [&](const ParameterValue& value) { return decoder.checked(decode_architecture(*value.entry)); });
  all.drafts = decoder.each_entry<Architecture>(draft_model, decode_architecture);
  all.devices = decoder.each<Device>(
      device, [&](const ParameterValue& value) { return decoder.checked(decode_device(*value.entry)); });
  all.memories = decoder.each_entry<Memory>(memory, decode_memory);
  all.interconnects = decoder.each_entry<Interconnect>(interconnect, decode_interconnect);
  all.topologies = decoder.each_entry<Topology>(topology, decode_topology);
  all.numbers = decoded_numbers<Parameter>(values, parameters());
  problems = decoder.take();
  const std::vector<ValueProblem> missing = missing_values(values);
  problems.insert(problems.end(), missing.begin(), missing.end());
  return all;
}

}  // namespace

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

}  // namespace dfsweep::serving_study
