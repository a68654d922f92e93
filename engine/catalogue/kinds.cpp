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

constexpr auto systems = declared_fields(system_fields);
constexpr auto transformers = declared_fields(transformer_fields);

/// Fields of the kind "models": transformers and other workloads share it.
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

constexpr LikeKind alike[] = {
    {"systems", "calculon_systems", "engine", "Systems with tables of engines are for estimator 'calculon' alone"},
    {"calculon_systems", "systems", "peak_flops",
     "Estimator 'calculon' needs a system with tables of engines, such as a100_80g or h100_80g_nvl8"},
};

constexpr std::string_view folders_of_calculon_systems[] = {"calculon_systems", "systems"};

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
      {"software", software_fields()},
      {"engines", declared::engines},
      {"trainers", declared::trainers},
      {"laws", declared::laws},
      {"batch_laws", declared::batch_laws},
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

std::span<const LikeKind> like_kinds() {
  return alike;
}

const LikeKind* taken_for(const Document& entry, std::string_view kind) {
  for (const LikeKind& like : alike)
    if (like.kind == kind && entry.find(like.field) != nullptr) return &like;
  return nullptr;
}

std::span<const ReferenceField> reference_fields() {
  static constexpr ReferenceField fields[] = {{"software", "engine", "engines"}};
  return fields;
}

std::span<const std::string_view> folders_of_kind(const std::string_view& kind) {
  if (kind == folders_of_calculon_systems[0]) return folders_of_calculon_systems;
  return {&kind, 1};
}

}  // namespace dfsweep
