/// Launches of training for tests: executions as values, and the launches that programs of the catalogue have for them.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalogue/catalogue.hpp"
#include "engine/foreign/training_launch.hpp"

namespace dfsweep::foreign::launches {

inline const Entry& trainer(const std::string& name) {
  static std::map<std::string, EntryFile> files;
  if (!files.contains(name)) files.emplace(name, catalogue_with({}).load("trainers", name));
  return files.at(name).entry;
}

inline ParameterText values(const LaunchValues& all) {
  return [&all](std::string_view name) -> std::optional<std::string> {
    const auto found = all.find(name);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  };
}

/// Defaults of `training`, which a launch does not have to say.
inline const LaunchValues usual{{"interleaving", "1"},      {"recomputed_layers", "1"},
                                {"sharding_group", "0"},    {"activation_offload", "0"},
                                {"attention_8bit", "0"},    {"expert_parallel", "1"},
                                {"optimizer_offload", "0"}, {"schedule", "one_forward_one_backward"}};

inline std::string usual_or_none(const std::string& parameter) {
  const auto found = usual.find(parameter);
  return found == usual.end() ? "" : found->second;
}

/// What a launch has to say: everything but the model and the node.
inline std::vector<ExecutionValue> wanted_of(const LaunchValues& all) {
  std::vector<ExecutionValue> wanted;
  for (const auto& [name, value] : all)
    if (name.find('.') == std::string::npos && name != "node_devices")
      wanted.push_back({name, value, usual_or_none(name)});
  return wanted;
}

inline LaunchValues model_of(const LaunchValues& all) {
  LaunchValues model;
  for (const auto& [name, value] : all)
    if (name.starts_with("model.")) model.emplace(name.substr(6), value);
  return model;
}

inline TrainingLaunch launched(const std::string& name, const LaunchValues& all) {
  return launch_of_execution(trainer(name), values(all), wanted_of(all), model_of(all));
}

inline std::string text_of(const LaunchValues& all) {
  std::string text;
  for (const auto& [name, value] : all) text += name + "=" + value + " ";
  return text;
}

/// 405 billion parameters on 1024 devices in nodes of 8.
inline LaunchValues dense() {
  return {{"model.layers", "126"},     {"node_devices", "8"},
          {"device_count", "1024"},    {"tensor_parallel", "8"},
          {"pipeline_parallel", "9"},  {"context_parallel", "1"},
          {"data_parallel", "14"},     {"interleaving", "7"},
          {"micro_batch", "1"},        {"global_batch", "252"},
          {"sequence_length", "8192"}, {"precision", "fp8"},
          {"recompute", "none"},       {"optimizer_sharding", "1"},
          {"sequence_parallel", "1"},  {"schedule", "one_forward_one_backward"}};
}

inline bool has_flag(const TrainingLaunch& launch, std::string_view flag) {
  return std::find(launch.flags.begin(), launch.flags.end(), flag) != launch.flags.end();
}

inline bool says(const TrainingLaunch& launch, std::string_view begin) {
  return std::any_of(launch.lacks.begin(), launch.lacks.end(),
                     [&](const std::string& lack) { return lack.starts_with(begin); });
}

}  // namespace dfsweep::foreign::launches
