#include "engine/catalogue/kinds.hpp"

#include <algorithm>
#include <vector>

#include "models/entry_field_tables.hpp"
#include "models/entry_table.hpp"
#include "models/kernels/software_table.hpp"
#include "models/machine/system.hpp"
#include "models/transformer/entry.hpp"

namespace dfsweep {

namespace {

constexpr auto systems = declared_fields(training::system_fields);
constexpr auto transformers = declared_fields(transformer::transformer_fields);

/// Transformers and other workloads share a kind, and some fields.
std::span<const FieldInfo> models() {
  static const std::vector<FieldInfo> all = [] {
    std::vector<FieldInfo> fields(transformers.begin(), transformers.end());
    for (const FieldInfo& field : declared::workloads)
      if (std::none_of(fields.begin(), fields.end(), [&](const FieldInfo& f) { return f.path == field.path; }))
        fields.push_back(field);
    return fields;
  }();
  return all;
}

struct Kind {
  std::string_view name;
  std::span<const FieldInfo> fields;
};

}  // namespace

std::span<const FieldInfo> fields_of_kind(std::string_view kind) {
  const Kind kinds[] = {
      {"devices", declared::devices},
      {"memories", declared::memories},
      {"interconnects", declared::interconnects},
      {"topologies", declared::topologies},
      {"networks", declared::networks},
      {"models", models()},
      {"systems", systems},
      {"calculon_systems", declared::calculon_systems},
      {"software", kernels::software_fields()},
      {"laws", declared::laws},
      {"mappings", declared::mappings},
      {"taskgraphs", declared::taskgraphs},
  };
  for (const Kind& candidate : kinds)
    if (candidate.name == kind) return candidate.fields;
  return {};
}

std::span<const FieldInfo> fields_of_all_kinds() {
  return declared::common;
}

}  // namespace dfsweep
