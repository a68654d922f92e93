/// What `dfsweep profiles` prints for programs.
#include "engine/commands/profiles_json.hpp"

#include "models/measured_tables/coverage.hpp"

namespace dfsweep {

using namespace inference;
namespace {

Json range_json(const KeyRange& range) {
  return JsonArray{range.lowest, range.highest};
}

JsonObject keys_json(const MeasuredKeys& keys) {
  return {{"samples", keys.samples},
          {"keys", keys.keys},
          {"repeated_keys", keys.repeated_keys},
          {"repeat_spread", keys.repeat_spread}};
}

JsonArray operators_json(const std::vector<OperatorCoverage>& operators) {
  JsonArray all;
  for (const OperatorCoverage& one : operators) {
    JsonObject json{{"operator", name_of(one.op)}};
    for (auto& member : keys_json(one.keys)) json.push_back(std::move(member));
    const OperatorKind kind = kind_of(one.op);
    if (kind == OperatorKind::decode || kind == OperatorKind::processor)
      json.emplace_back("requests", range_json(one.keys.first));
    if (kind == OperatorKind::decode) json.emplace_back("cache", range_json(one.keys.second));
    if (kind == OperatorKind::prefill) json.emplace_back("cache", range_json(one.keys.first));
    if (kind == OperatorKind::prefill) json.emplace_back("chunk", range_json(one.keys.second));
    if (kind == OperatorKind::token || kind == OperatorKind::cache_save)
      json.emplace_back("tokens", range_json(one.keys.first));
    all.emplace_back(std::move(json));
  }
  return all;
}

Json validation_json(const std::vector<ValidatedTable>& validated) {
  JsonArray operators, tables;
  for (const OperatorErrors& one : errors_by_operator(validated))
    operators.emplace_back(JsonObject{{"operator", name_of(one.op)},
                                      {"tables", one.tables},
                                      {"rows", one.rows},
                                      {"error", one.fitted},
                                      {"forest_error", one.forest}});
  for (const ValidatedTable& table : validated)
    tables.emplace_back(JsonObject{{"operator", name_of(table.op)},
                                   {"table", table.place},
                                   {"rows", table.errors.rows},
                                   {"error", fitted_error(table.errors)},
                                   {"forest_error", forest_error(table.errors)}});
  return JsonObject{{"operators", std::move(operators)}, {"tables", std::move(tables)}};
}

}  // namespace

Json profiles_json(const std::string& name, const ProfileFolder& folder, const std::vector<ValidatedTable>& validated) {
  const ProfileSet& set = folder.profiles;
  JsonArray layers, networks, processors, holes;
  for (const LayerProfile& layer : set.layers)
    layers.emplace_back(JsonObject{{"device", layer.device},
                                   {"model", layer.model},
                                   {"tensor_parallel", layer.tensor_parallel},
                                   {"hidden", layer.shape.hidden},
                                   {"heads", layer.shape.heads},
                                   {"key_value_heads", layer.shape.key_value_heads},
                                   {"ffn_hidden", layer.shape.ffn_hidden},
                                   {"vocabulary", layer.shape.vocabulary},
                                   {"backend", layer.backend},
                                   {"block_sizes", JsonArray(layer.block_sizes.begin(), layer.block_sizes.end())},
                                   {"operators", operators_json(coverage_of(layer))}});
  for (const NetworkProfile& network : set.networks) {
    const MeasuredKeys keys = coverage_of(network);
    JsonObject json{{"network", network.network},
                    {"collective", name_of(network.collective)},
                    {"workers", network.workers},
                    {"devices_per_node", network.devices_per_node},
                    {"max_devices_per_node", network.max_devices_per_node}};
    for (auto& member : keys_json(keys)) json.push_back(std::move(member));
    json.emplace_back("bytes", range_json(keys.first));
    networks.emplace_back(std::move(json));
  }
  for (const ProcessorProfile& processor : set.processors)
    processors.emplace_back(JsonObject{{"device", processor.device},
                                       {"model", processor.model},
                                       {"tensor_parallel", processor.tensor_parallel},
                                       {"operators", operators_json(coverage_of(processor))}});
  for (const Hole& hole : holes_of(set))
    holes.emplace_back(JsonObject{{"place", hole.place}, {"missing", hole.missing}});
  JsonObject all{{"folder", name},
                 {"tables", folder.tables.size()},
                 {"rows", folder.rows()},
                 {"layers", std::move(layers)},
                 {"networks", std::move(networks)},
                 {"processors", std::move(processors)},
                 {"holes", std::move(holes)}};
  if (!validated.empty()) all.emplace_back("cross_validation", validation_json(validated));
  return all;
}

}  // namespace dfsweep
