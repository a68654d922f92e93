/// Profiles: coverage, holes and errors as tables for people.
#include "engine/commands/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/commands/profiles_json.hpp"
#include "engine/console/output.hpp"
#include "engine/console/output_form.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/profiles/profile_folder.hpp"
#include "engine/profiles/profile_validation.hpp"
#include "io/number_format.hpp"
#include "models/measured_tables/coverage.hpp"

namespace dfsweep {

using namespace inference;
namespace {

/// Layers of one model on one device, all degrees: what a line of the table shows.
struct ModelLine {
  std::string degrees;
  std::string attention_degrees;
  std::string backend;
  std::map<OperatorKind, MeasuredKeys> coverage;  ///< of all operators of a kind at all degrees
};

double spread_sum(const MeasuredKeys& keys) {
  return keys.repeated_keys == 0 ? 0.0 : keys.repeat_spread * static_cast<double>(keys.repeated_keys);
}

KeyRange joined(const KeyRange& a, const KeyRange& b) {
  return {std::min(a.lowest, b.lowest), std::max(a.highest, b.highest)};
}

void merge(MeasuredKeys& all, const MeasuredKeys& more) {
  const double sum = spread_sum(all) + spread_sum(more);
  all.first = all.samples == 0 ? more.first : joined(all.first, more.first);
  all.second = all.samples == 0 ? more.second : joined(all.second, more.second);
  all.samples += more.samples;
  all.keys += more.keys;
  all.repeated_keys += more.repeated_keys;
  if (all.repeated_keys > 0) all.repeat_spread = sum / static_cast<double>(all.repeated_keys);
}

std::string range_text(const KeyRange& range) {
  return range.lowest == range.highest ? shortest(range.lowest)
                                       : fmt::format("{}..{}", shortest(range.lowest), shortest(range.highest));
}

/// "0.54 %", or nothing where no key was measured twice.
std::string spread_text(const MeasuredKeys& keys) {
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

TextColumn coverage_column(std::string heading, int weight, std::string unit = {}) {
  return {std::move(heading), std::move(unit), Align::left, {}, weight};
}

std::string layers_text(const ProfileSet& set, const Terminal& terminal) {
  std::vector<TextColumn> columns{coverage_column("device", 9),
                                  coverage_column("model", 9),
                                  coverage_column("degrees", 8),
                                  coverage_column("tokens", 8),
                                  coverage_column("repeats", 3, "differ by"),
                                  coverage_column("attention", 7, "degrees"),
                                  coverage_column("prefill", 6, "cache x chunk"),
                                  coverage_column("repeats", 2, "differ by"),
                                  coverage_column("decode", 6, "requests x cache"),
                                  coverage_column("repeats", 2, "differ by"),
                                  coverage_column("backend", 1)};
  for (const auto& [name, line] : lines_of(set)) {
    const auto of = [&line = line](OperatorKind kind) {
      const auto found = line.coverage.find(kind);
      return found == line.coverage.end() ? MeasuredKeys{} : found->second;
    };
    const MeasuredKeys tokens = of(OperatorKind::token);
    const MeasuredKeys prefill = of(OperatorKind::prefill);
    const MeasuredKeys decode = of(OperatorKind::decode);
    const auto surface = [](const MeasuredKeys& keys) {
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
  return columns.front().cells.empty() ? std::string() : "layers\n" + table_with_note(columns, terminal, 2);
}

std::string networks_text(const ProfileSet& set, const Terminal& terminal) {
  std::vector<TextColumn> columns{coverage_column("network", 5),
                                  coverage_column("collective", 5),
                                  coverage_column("workers", 5),
                                  coverage_column("on a node", 4),
                                  coverage_column("bytes", 3),
                                  coverage_column("keys", 2),
                                  coverage_column("repeats", 1, "differ by")};
  for (const NetworkProfile& network : set.networks) {
    const MeasuredKeys keys = coverage_of(network);
    columns[0].cells.push_back(network.network);
    columns[1].cells.emplace_back(name_of(network.collective));
    columns[2].cells.push_back(fmt::format("{}", network.workers));
    columns[3].cells.push_back(fmt::format("{}", network.devices_per_node));
    columns[4].cells.push_back(range_text(keys.first));
    columns[5].cells.push_back(fmt::format("{}", keys.keys));
    columns[6].cells.push_back(spread_text(keys));
  }
  return columns.front().cells.empty() ? std::string() : "\nnetworks\n" + table_with_note(columns, terminal, 2);
}

std::string processors_text(const ProfileSet& set, const Terminal& terminal) {
  std::vector<TextColumn> columns{coverage_column("overheads of", 4), coverage_column("model", 4),
                                  coverage_column("degree", 3), coverage_column("requests", 2)};
  for (const ProcessorProfile& processor : set.processors) {
    MeasuredKeys all;
    for (const OperatorCoverage& operators : coverage_of(processor)) merge(all, operators.keys);
    columns[0].cells.push_back(processor.device);
    columns[1].cells.push_back(processor.model);
    columns[2].cells.push_back(fmt::format("{}", processor.tensor_parallel));
    columns[3].cells.push_back(range_text(all.first));
  }
  return columns.front().cells.empty() ? std::string() : "\nprocessors\n" + table_with_note(columns, terminal, 2);
}

std::string holes_text(const ProfileSet& set) {
  std::string text;
  for (const Hole& hole : holes_of(set))
    text += fmt::format("{}  {}: {}\n", text.empty() ? "\ngaps\n" : "", hole.place, hole.missing);
  return text;
}

/// The judgement on the operators, in words.
std::string summary_text(const std::vector<OperatorErrors>& operators) {
  constexpr double as_good = 1.02;
  std::size_t better = 0;
  std::size_t worse = 0;
  for (const OperatorErrors& one : operators) {
    if (one.fitted < one.forest) ++better;
    if (one.fitted > as_good * one.forest) ++worse;
  }
  return fmt::format("  better than the forest for {} of {} operators, more than 2 % worse for {}\n", better,
                     operators.size(), worse);
}

std::string validation_text(const std::vector<ValidatedTable>& tables, const Terminal& terminal) {
  if (tables.empty()) return {};
  std::vector<TextColumn> columns{coverage_column("operator", 6), coverage_column("tables", 2),
                                  coverage_column("rows", 1),     coverage_column("error", 5),
                                  coverage_column("forest", 4),   coverage_column("ratio", 3)};
  const std::vector<OperatorErrors> operators = errors_by_operator(tables);
  for (const OperatorErrors& one : operators) {
    columns[0].cells.emplace_back(name_of(one.op));
    columns[1].cells.push_back(fmt::format("{}", one.tables));
    columns[2].cells.push_back(fmt::format("{:.0f}", one.rows));
    columns[3].cells.push_back(fmt::format("{:.2f} %", 100.0 * one.fitted));
    columns[4].cells.push_back(fmt::format("{:.2f} %", 100.0 * one.forest));
    columns[5].cells.push_back(fmt::format("{:.3f}", one.fitted / one.forest));
  }
  for (std::size_t c = 1; c < columns.size(); ++c) columns[c].align = Align::right;
  return "\ncross-validation: mean error of predictions for keys left out, and that of a random forest\n" +
         table_with_note(columns, terminal, 2) + summary_text(operators);
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
  std::vector<ValidatedTable> validated;
  if (options.depth == ProfilesDepth::validation) validated = validate_profiles(folder.profiles, threads);
  if (options.form == OutputForm::json) {
    write_results(to_text(profiles_json(options.folder.string(), folder, validated)));
    return ExitStatus::complete;
  }
  const Terminal terminal = terminal_of(1, options.colour);
  std::string text = fmt::format("{}: {} with {}\n\n", options.folder.string(), counted(folder.tables.size(), "table"),
                                 counted(folder.rows(), "row"));
  text += layers_text(folder.profiles, terminal) + networks_text(folder.profiles, terminal);
  text += processors_text(folder.profiles, terminal) + holes_text(folder.profiles);
  text += validation_text(validated, terminal);
  write_results(text);
  return ExitStatus::complete;
}

}  // namespace dfsweep
