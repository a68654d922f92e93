#include "models/serving/points/values.hpp"

#include <algorithm>

#include "models/kernels/software_table.hpp"
#include "models/measured_tables/profile_tables.hpp"
#include "models/prepared/given_values.hpp"
#include "models/prepared/value_decoder.hpp"

namespace dfsweep::serving {

namespace {

/// A point needs a system, or a device and a memory, of which the bandwidth is enough; several devices need links;
/// measured tables are chosen by device; speculation needs a draft, which single points of a list may lack.
std::vector<ValueProblem> missing_values(const SweepValues& values) {
  using enum Parameter;
  std::vector<ValueProblem> problems;
  const auto complain = [&](Parameter parameter, std::string_view reason, std::string_view hint) {
    problems.push_back(missing_value(parameter, parameters(), reason, hint));
  };
  const auto is_given = [&](Parameter parameter) { return is_given_everywhere(values[parameter]); };
  const auto complain_of_hardware = [&](Parameter parameter) {
    complain(parameter, "no system is given at every point, which would have one",
             "Give system, or device, memory and interconnect");
  };
  if (!is_given(system)) {
    if (!is_given(device)) complain_of_hardware(device);
    if (!is_given(memory) && !is_given(dram_bandwidth)) complain_of_hardware(memory);
    const bool needs_links =
        is_above_one_somewhere(values[tensor_parallel]) || is_above_one_somewhere(values[pipeline_parallel]);
    if (needs_links && !is_given(interconnect) && !is_given(link_bandwidth))
      complain(interconnect, "several devices share a model", "Give interconnect or link_bandwidth");
  }
  if (has_profiles(values) && !is_given(device))
    complain(device, "measured tables are of devices", "Give device beside system, or leave profiles out");
  if (operators_of(values) != nullptr && !is_given(system))
    complain(system, "measured operators are of systems", "Give system, or leave operators out");
  const std::vector<ParameterValue>& forms = values[speculation].values;
  const bool drafts = std::any_of(forms.begin(), forms.end(), [](const auto& v) { return v.text != "none"; });
  const std::vector<ParameterValue>& models = values[draft_model].values;
  const bool has_draft = std::any_of(models.begin(), models.end(), [](const auto& v) { return v.entry != nullptr; });
  if (drafts && !has_draft) complain(draft_model, "speculation needs a model that drafts", "");
  return problems;
}

void decode_entries(ValueDecoder& decoder, DecodedValues& all) {
  using enum Parameter;
  all.models = decoder.each<Architecture>(
      model, [&](const ParameterValue& value) { return decoder.checked(decode_architecture(*value.entry)); });
  all.drafts = decoder.each_entry<Architecture>(draft_model, decode_architecture);
  all.systems = decoder.each_entry<System>(system, decode_system);
  all.devices = decoder.each_entry<Device>(device, decode_device);
  all.memories = decoder.each_entry<Memory>(memory, decode_memory);
  all.interconnects = decoder.each_entry<Interconnect>(interconnect, decode_interconnect);
  all.software = decoder.each_entry<ServingSoftware>(software, decode_serving_software);
  all.engines = decoder.each_entry<queueing::EngineEntry>(engine, queueing::decode_engine);
  all.software_engines = decoder.each<std::optional<queueing::EngineEntry>>(software, [&](const ParameterValue& value) {
    using Named = std::optional<queueing::EngineEntry>;
    if (value.entry == nullptr) return Named{};
    const auto named = value.entry->parts.find("engine");
    if (named == value.entry->parts.end()) return Named{};
    return Named{decoder.checked(queueing::decode_engine(named->second.front()))};
  });
  all.trusts = decoder.each_entry<Trust>(software, decode_trust);
}

/// The name of the entry that `of(value)` points to; "" where it is null.
template <class Of>
std::vector<std::string> names_of(const SweepValues::Parameter& parameter, const Of& of) {
  std::vector<std::string> names;
  for (const ParameterValue& value : parameter.values) {
    const Entry* const entry = value.entry == nullptr ? nullptr : of(*value.entry);
    names.push_back(entry == nullptr ? "" : entry->name);
  }
  return names;
}

/// What selects measured operators.
void decode_table_choice(const SweepValues& values, DecodedValues& all, std::vector<ValueProblem>& problems) {
  using enum Parameter;
  for (const ParameterValue& value : values[system].values)
    all.table_systems.push_back(value.entry == nullptr ? "" : name_in_operators(*value.entry));
  all.engine_names = names_of(values[engine], [](const Entry& entry) { return &entry; });
  all.software_engine_names = names_of(values[software], [](const Entry& entry) {
    const auto named = entry.parts.find("engine");
    return named == entry.parts.end() ? nullptr : &named->second.front();
  });
  for (std::size_t i = 0; i < values[operator_tables].values.size(); ++i) {
    const std::string& text = values[operator_tables].values[i].text;
    all.table_stacks.push_back(operators::table_stack(text));
    if (!text.empty() && !all.table_stacks.back())
      problems.push_back({index_of(operator_tables), i, "'" + text + "' does not name measured operators",
                          "it is an engine, then a version and a word of the names of kernels or formats",
                          "Write \"vllm\", \"vllm 0.24.0\" or \"vllm 0.24.0 fp8_block\""});
  }
}

DecodedValues decode_into(const SweepValues& values, std::vector<ValueProblem>& problems) {
  ValueDecoder decoder(values, estimator_name);
  DecodedValues all;
  decode_entries(decoder, all);
  all.measured_models = MeasuredModels(values[Parameter::model], values[Parameter::software]);
  all.evidence = EvidenceTable(values[Parameter::system], values[Parameter::software], estimator_name);
  all.numbers = decoded_numbers<Parameter>(values, parameters());
  problems = decoder.take();
  decode_table_choice(values, all, problems);
  const std::vector<ValueProblem> missing = missing_values(values);
  problems.insert(problems.end(), missing.begin(), missing.end());
  return all;
}

}  // namespace

bool has_profiles(const SweepValues& values) {
  return std::any_of(values.data.begin(), values.data.end(),
                     [](const auto& data) { return data.profiles != nullptr && !data.profiles->tables().empty(); });
}

const operators::OperatorTables* operators_of(const SweepValues& values) {
  for (const SweepValues::Data& data : values.data)
    if (data.operators) return data.operators.get();
  return nullptr;
}

const StreamedRows* trace_of(const SweepValues& values) {
  for (const SweepValues::Data& data : values.data)
    if (data.stream) return data.stream.get();
  return nullptr;
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
