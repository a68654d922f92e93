/// The section [data] of a sweep file: folders or files of measurements.
#include "engine/sweep/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

#include "engine/sweep/data_reading.hpp"
#include "engine/sweep/kept_data.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

std::string environment_name(std::string_view data) {
  std::string name = "DFSWEEP_";
  for (const char c : data) name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

/// The problem of missing data. A result stores only the checksum of its data, and its sweep cannot be edited.
Problem missing_data(const DataInfo& info, const SourcePosition& at, const SweepReading& reading) {
  const std::string elsewhere =
      fmt::format("with --data {}=PATH or the environment variable {}", info.name, environment_name(info.name));
  if (reading.is_stored)
    return {{at.file, 0, 0},
            fmt::format("data '{}' is missing", info.name),
            fmt::format("{}; a result holds only its checksum", info.meaning),
            fmt::format("Give it {}", elsewhere)};
  return {at, fmt::format("data '{}' is missing", info.name), std::string(info.meaning),
          fmt::format("Give it in [data], {}", elsewhere)};
}

struct DataPath {
  std::filesystem::path path;
  SourcePosition at;
};

void load_data(const DataInfo& info, const DataPath& given, const Catalogue& catalogue, KeptData* kept, SweepSpec& spec,
               Problems& problems) {
  std::error_code ignored;
  if (!std::filesystem::exists(given.path, ignored))
    return problems.add(given.at, fmt::format("data '{}' cannot be found", info.name),
                        fmt::format("there is no '{}'", given.path.string()));
  const DataPlace place{std::string(info.name), given.path};
  const std::shared_ptr<const ReadData> read =
      kept == nullptr ? std::make_shared<const ReadData>(read_data_at(place, info, catalogue))
                      : kept->get(place, info, catalogue);
  for (Problem problem : read->problems) {
    if (problem.at.file.empty()) problem.at = given.at;
    problems.add(std::move(problem));
  }
  spec.inputs.insert(spec.inputs.end(), read->inputs.begin(), read->inputs.end());
  spec.warnings.insert(spec.warnings.end(), read->warnings.begin(), read->warnings.end());
  spec.data_places.push_back(place);
  spec.values.data.push_back(read->data);
}

}  // namespace

void read_data(const Document* section, const SourcePosition& at, const SweepReading& reading,
               const std::filesystem::path& base, const Catalogue& catalogue, SweepSpec& spec, Problems& problems) {
  std::vector<std::string> names;
  for (const DataInfo& info : spec.estimator->data()) names.emplace_back(info.name);
  std::map<std::string, DataPath> given;
  const std::size_t problems_before = problems.count();
  const auto known = [&](const std::string& name, const SourcePosition& where) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return true;
    problems.add(
        where, fmt::format("unknown data '{}'", name),
        names.empty() ? fmt::format("estimator '{}' uses none", spec.estimator->name()) : "data here: " + listed(names),
        did_you_mean(name, names));
    return false;
  };
  for (const DataInfo& info : spec.estimator->data()) {
    if (!info.required) continue;  // optional data changes results, so it must be requested explicitly
    const std::string variable = environment_name(info.name);
    if (const char* path = std::getenv(variable.c_str()); path != nullptr && *path != '\0')
      given[std::string(info.name)] = {path, {variable, 0, 0}};
  }
  if (section != nullptr)
    for (const DocumentMember& member : section->members) {
      if (!known(member.key, member.at)) continue;
      if (member.value.text() == nullptr)
        problems.add(member.value.at, fmt::format("'{}' must be a path, not {}", member.key, member.value.type_name()));
      else
        given[member.key] = {base / *member.value.text(), member.value.at};
    }
  for (const auto& [name, path] : reading.data)
    if (known(name, {"--data", 0, 0})) given[name] = {path, {"--data " + name, 0, 0}};
  const bool names_are_right = problems.count() == problems_before;  // otherwise a missing name may be a misspelt one
  for (const DataInfo& info : spec.estimator->data()) {
    const auto found = given.find(std::string(info.name));
    if (found != given.end())
      load_data(info, found->second, catalogue, reading.kept_data, spec, problems);
    else if (info.required && names_are_right)
      problems.add(missing_data(info, at, reading));
  }
}

}  // namespace dfsweep
