/// Profiles: coverage as tables for people and as JSON for programs.
#include "engine/commands/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/output.hpp"
#include "engine/parallel.hpp"
#include "engine/profile_folder.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "models/inference/profile_coverage.hpp"

namespace dfsweep {
namespace {

/// Layers of one model on one device, all degrees: what a line of the table shows.
struct ModelLine {
  std::string degrees;
  std::string attention_degrees;
  std::string backend;
  std::map<OperatorKind, KeyCoverage> coverage;  ///< of all operators of a kind at all degrees
};

double spread_sum(const KeyCoverage& keys) {
  return keys.repeated_keys == 0 ? 0.0 : keys.repeat_spread * static_cast<double>(keys.repeated_keys);
}

Range joined(const Range& a, const Range& b) {
  return {std::min(a.lowest, b.lowest), std::max(a.highest, b.highest)};
}

void merge(KeyCoverage& all, const KeyCoverage& more) {
  const double sum = spread_sum(all) + spread_sum(more);
  all.first = all.samples == 0 ? more.first : joined(all.first, more.first);
  all.second = all.samples == 0 ? more.second : joined(all.second, more.second);
  all.samples += more.samples;
  all.keys += more.keys;
  all.repeated_keys += more.repeated_keys;
  if (all.repeated_keys > 0) all.repeat_spread = sum / static_cast<double>(all.repeated_keys);
}

std::string range_text(const Range& range) {
  return range.lowest == range.highest ? shortest(range.lowest)
                                       : fmt::format("{}..{}", shortest(range.lowest), shortest(range.highest));
}

/// "0.54 %", or nothing where no key was measured twice.
std::string spread_text(const KeyCoverage& keys) {
  return keys.repeated_keys == 0 ? std::string("-") : fmt::format("{:.2f} %", 100.0 * keys.repeat_spread);
}

void append_degree(std::string& list, unsigned degree) {
  list += fmt::format("{}{}", list.empty() ? "" : " ", degree);
}

using ModelLines = std::map<std::pair<std::string, std::string>, ModelLine>;

ModelLines lines_of(const ProfileSet& set) {
  ModelLines lines;
  for (const LayerProfile& layer : set.layers) {
    ModelLine& line = lines[{layer.device, layer.model}];
    if (!layer.tokens.empty()) append_degree(line.degrees, layer.tensor_parallel);
    if (!layer.attention.empty()) append_degree(line.attention_degrees, layer.tensor_parallel);
    if (!layer.backend.empty()) line.backend = layer.backend;
    for (const OperatorCoverage& operators : coverage_of(layer))
      merge(line.coverage[kind_of(operators.op)], operators.keys);
  }
  return lines;
}

TextColumn column(std::string heading, int weight, std::string unit = {}) {
  return {std::move(heading), std::move(unit), Align::left, {}, weight};
}

std::string layers_text(const ProfileSet& set, const Terminal& terminal) {
  std::vector<TextColumn> columns{column("device", 9),
                                  column("model", 9),
                                  column("degrees", 8),
                                  column("tokens", 8),
                                  column("repeats", 3, "differ by"),
                                  column("attention", 7, "degrees"),
                                  column("prefill", 6, "cache x chunk"),
                                  column("repeats", 2, "differ by"),
                                  column("decode", 6, "requests x cache"),
                                  column("repeats", 2, "differ by"),
                                  column("backend", 1)};
  for (const auto& [name, line] : lines_of(set)) {
    const auto of = [&line = line](OperatorKind kind) {
      const auto found = line.coverage.find(kind);
      return found == line.coverage.end() ? KeyCoverage{} : found->second;
    };
    const KeyCoverage tokens = of(OperatorKind::token);
    const KeyCoverage prefill = of(OperatorKind::prefill);
    const KeyCoverage decode = of(OperatorKind::decode);
    const auto surface = [](const KeyCoverage& keys) {
      return keys.samples == 0 ? std::string("-") : range_text(keys.first) + " x " + range_text(keys.second);
    };
    columns[0].cells.push_back(name.first);
    columns[1].cells.push_back(name.second);
    columns[2].cells.push_back(line.degrees.empty() ? "-" : line.degrees);
    columns[3].cells.push_back(tokens.samples == 0 ? "-" : range_text(tokens.first));
    columns[4].cells.push_back(spread_text(tokens));
    columns[5].cells.push_back(line.attention_degrees.empty() ? "-" : line.attention_degrees);
    columns[6].cells.push_back(surface(prefill));
    columns[7].cells.push_back(spread_text(prefill));
    columns[8].cells.push_back(surface(decode));
    columns[9].cells.push_back(spread_text(decode));
    columns[10].cells.push_back(line.backend.empty() ? "-" : line.backend);
  }
  return columns.front().cells.empty() ? std::string() : "layers\n" + render_table(columns, terminal, 2).text;
}

std::string networks_text(const ProfileSet& set, const Terminal& terminal) {
  std::vector<TextColumn> columns{column("network", 5),
                                  column("collective", 5),
                                  column("workers", 5),
                                  column("on a node", 4),
                                  column("bytes", 3),
                                  column("keys", 2),
                                  column("repeats", 1, "differ by")};
  for (const NetworkProfile& network : set.networks) {
    const KeyCoverage keys = coverage_of(network);
    columns[0].cells.push_back(network.network);
    columns[1].cells.emplace_back(name_of(network.collective));
    columns[2].cells.push_back(fmt::format("{}", network.workers));
    columns[3].cells.push_back(fmt::format("{}", network.devices_per_node));
    columns[4].cells.push_back(range_text(keys.first));
    columns[5].cells.push_back(fmt::format("{}", keys.keys));
    columns[6].cells.push_back(spread_text(keys));
  }
  return columns.front().cells.empty() ? std::string() : "\nnetworks\n" + render_table(columns, terminal, 2).text;
}

std::string processors_text(const ProfileSet& set, const Terminal& terminal) {
  std::vector<TextColumn> columns{column("overheads of", 4), column("model", 4), column("degree", 3),
                                  column("requests", 2)};
  for (const ProcessorProfile& processor : set.processors) {
    KeyCoverage all;
    for (const OperatorCoverage& operators : coverage_of(processor)) merge(all, operators.keys);
    columns[0].cells.push_back(processor.device);
    columns[1].cells.push_back(processor.model);
    columns[2].cells.push_back(fmt::format("{}", processor.tensor_parallel));
    columns[3].cells.push_back(range_text(all.first));
  }
  return columns.front().cells.empty() ? std::string() : "\nprocessors\n" + render_table(columns, terminal, 2).text;
}

std::string holes_text(const ProfileSet& set) {
  std::string text;
  for (const Hole& hole : holes_of(set))
    text += fmt::format("{}  {}: {}\n", text.empty() ? "\nholes\n" : "", hole.place, hole.missing);
  return text;
}

std::size_t rows_of(const ProfileFolder& folder) {
  std::size_t rows = 0;
  for (const Table& table : folder.tables) rows += table.rows();
  return rows;
}

Json range_json(const Range& range) {
  return JsonArray{range.lowest, range.highest};
}

JsonObject keys_json(const KeyCoverage& keys) {
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

JsonObject profiles_json(const ProfileFolder& folder, const ProfilesOptions& options) {
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
    const KeyCoverage keys = coverage_of(network);
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
  return {{"folder", options.folder.string()}, {"tables", folder.tables.size()},  {"rows", rows_of(folder)},
          {"layers", std::move(layers)},       {"networks", std::move(networks)}, {"processors", std::move(processors)},
          {"holes", std::move(holes)}};
}

std::vector<std::filesystem::path> folders_of(const ProfilesOptions& options) {
  std::vector<std::filesystem::path> folders = default_catalogue_folders();
  folders.insert(folders.end(), options.catalogues.begin(), options.catalogues.end());
  return folders;
}

}  // namespace

ExitStatus run_profiles(const ProfilesOptions& options) {
  const unsigned threads = options.threads == 0 ? allowed_cores() : options.threads;
  const ProfileFolder folder = read_profile_folder(options.folder, Catalogue(folders_of(options)), threads);
  write_warnings(folder.warnings);
  if (options.form == OutputForm::json) {
    write_results(to_text(profiles_json(folder, options)));
    return ExitStatus::complete;
  }
  const Terminal terminal = terminal_of(1, options.colour);
  std::string text =
      fmt::format("{}: {} tables with {} rows\n\n", options.folder.string(), folder.tables.size(), rows_of(folder));
  text += layers_text(folder.profiles, terminal) + networks_text(folder.profiles, terminal);
  text += processors_text(folder.profiles, terminal) + holes_text(folder.profiles);
  write_results(text);
  return ExitStatus::complete;
}

}  // namespace dfsweep
