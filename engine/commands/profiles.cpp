/// Profiles: coverage, holes and errors as tables for people and as JSON.
#include "engine/commands/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/commands/operator_profiles.hpp"
#include "engine/console/output.hpp"
#include "engine/console/output_form.hpp"
#include "engine/operators/operator_folder.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/profiles/profile_folder.hpp"
#include "engine/profiles/profile_validation.hpp"
#include "engine/tables/rendering.hpp"
#include "io/number_format.hpp"
#include "models/measured_tables/coverage.hpp"

namespace dfsweep {

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

/// Columns of a table of coverage are flush left, and have "-" where nothing was measured.
ColumnLook look(std::string heading, int weight, std::string unit = {}) {
  return {.heading = std::move(heading), .weight = weight, .unit = std::move(unit), .align = Align::left};
}

/// The table below its title; nothing where it has no rows.
std::string titled(std::string_view title, const DataTable& table, const Terminal& terminal) {
  return table.rows == 0 ? std::string()
                         : fmt::format("{}\n{}", title, table_with_note(text_columns(table), terminal, 2));
}

std::string_view operator_name(Operator op) {
  return name_of(op);
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

std::string layers_text(const ProfileSet& set, const Terminal& terminal) {
  const ModelLines lines = lines_of(set);
  using Line = ModelLines::value_type;
  const auto of = [](OperatorKind kind, auto text) {
    return [=](const Line& line) {
      const auto found = line.second.coverage.find(kind);
      return text(found == line.second.coverage.end() ? MeasuredKeys{} : found->second);
    };
  };
  const auto range = [](const MeasuredKeys& keys) {
    return keys.samples == 0 ? std::string("-") : range_text(keys.first);
  };
  const auto surface = [](const MeasuredKeys& keys) {
    return keys.samples == 0 ? std::string("-") : range_text(keys.first) + " x " + range_text(keys.second);
  };
  TableOf<Line> table({lines.begin(), lines.end()});
  table.show(look("device", 9), [](const Line& line) { return line.first.first; })
      .show(look("model", 9), [](const Line& line) { return line.first.second; })
      .show(look("degrees", 8), along(&Line::second, &ModelLine::degrees, or_dash))
      .show(look("tokens", 8), of(OperatorKind::token, range))
      .show(look("repeats", 3, "differ by"), of(OperatorKind::token, spread_text))
      .show(look("attention", 7, "degrees"), along(&Line::second, &ModelLine::attention_degrees, or_dash))
      .show(look("prefill", 6, "cache x chunk"), of(OperatorKind::prefill, surface))
      .show(look("repeats", 2, "differ by"), of(OperatorKind::prefill, spread_text))
      .show(look("decode", 6, "requests x cache"), of(OperatorKind::decode, surface))
      .show(look("repeats", 2, "differ by"), of(OperatorKind::decode, spread_text))
      .show(look("backend", 1), along(&Line::second, &ModelLine::backend, or_dash));
  return titled("layers", table.take(), terminal);
}

Interval interval_of(const KeyRange& range) {
  return {range.lowest, range.highest};
}

/// How often keys were measured, in JSON. `keys`: of a row.
template <class Row, class Keys>
TableOf<Row>& add_counts(TableOf<Row>& table, Keys keys) {
  return table.add({"samples"}, along(keys, &MeasuredKeys::samples))
      .add({"keys"}, along(keys, &MeasuredKeys::keys))
      .add({"repeated_keys"}, along(keys, &MeasuredKeys::repeated_keys))
      .add({"repeat_spread"}, along(keys, &MeasuredKeys::repeat_spread));
}

struct NetworkRow {
  const NetworkProfile* profile;
  MeasuredKeys keys;
};

DataTable networks_table(const ProfileSet& set) {
  std::vector<NetworkRow> rows;
  for (const NetworkProfile& network : set.networks) rows.push_back({&network, coverage_of(network)});
  const auto of = [](auto... members) { return along(&NetworkRow::profile, members...); };
  const auto of_keys = [](auto... members) { return along(&NetworkRow::keys, members...); };
  TableOf<NetworkRow> table(std::move(rows));
  table.add({"network"}, of(&NetworkProfile::network), look("network", 5))
      .add({"collective"}, of(&NetworkProfile::collective, operator_name), look("collective", 5))
      .add({"workers"}, of(&NetworkProfile::workers), look("workers", 5))
      .add({"devices_per_node"}, of(&NetworkProfile::devices_per_node), look("on a node", 4))
      .add({"max_devices_per_node"}, of(&NetworkProfile::max_devices_per_node))
      .show(look("bytes", 3), of_keys(&MeasuredKeys::first, range_text))
      .show(look("keys", 2), of_keys(&MeasuredKeys::keys))
      .show(look("repeats", 1, "differ by"), of_keys(spread_text));
  add_counts(table, &NetworkRow::keys).add({"bytes"}, of_keys(&MeasuredKeys::first, interval_of));
  return table.take();
}

DataTable processors_table(const ProfileSet& set) {
  TableOf<ProcessorProfile> table(set.processors);
  table.add({"device"}, &ProcessorProfile::device, look("overheads of", 4))
      .add({"model"}, &ProcessorProfile::model, look("model", 4))
      .add({"tensor_parallel"}, &ProcessorProfile::tensor_parallel, look("degree", 3))
      .show(look("requests", 2), [](const ProcessorProfile& processor) {
        MeasuredKeys all;
        for (const OperatorCoverage& operators : coverage_of(processor)) merge(all, operators.keys);
        return range_text(all.first);
      });
  return table.take();
}

/// What was measured of operators, with the ranges that their kinds have.
DataTable operators_table(const std::vector<OperatorCoverage>& operators) {
  const auto range = [](KeyRange MeasuredKeys::*of, auto... kinds) {
    return [=](const OperatorCoverage& one) {
      const bool has = ((kind_of(one.op) == kinds) || ...);
      return has ? std::optional(interval_of(one.keys.*of)) : std::nullopt;
    };
  };
  TableOf<OperatorCoverage> table(operators);
  table.add({"operator"}, along(&OperatorCoverage::op, operator_name));
  add_counts(table, &OperatorCoverage::keys)
      .add({"requests"}, range(&MeasuredKeys::first, OperatorKind::decode, OperatorKind::processor))
      .add({"cache"},
           [](const OperatorCoverage& one) {
             const OperatorKind kind = kind_of(one.op);
             return kind == OperatorKind::decode    ? std::optional(interval_of(one.keys.second))
                    : kind == OperatorKind::prefill ? std::optional(interval_of(one.keys.first))
                                                    : std::nullopt;
           })
      .add({"chunk"}, range(&MeasuredKeys::second, OperatorKind::prefill))
      .add({"tokens"}, range(&MeasuredKeys::first, OperatorKind::token, OperatorKind::cache_save));
  return table.take();
}

DataTable errors_table(const std::vector<OperatorErrors>& operators) {
  const NumberText percent = [](double share) { return fmt::format("{:.2f} %", 100.0 * share); };
  const auto fixed = [](int digits) {
    return [digits](double value) { return fmt::format("{:.{}f}", value, digits); };
  };
  TableOf<OperatorErrors> table(operators);
  table.add({"operator"}, along(&OperatorErrors::op, operator_name), {"operator", 6})
      .add({"tables"}, &OperatorErrors::tables, {"tables", 2})
      .add({"rows"}, &OperatorErrors::rows, {"rows", 1, fixed(0)})
      .add({"error"}, &OperatorErrors::fitted, {"error", 5, percent})
      .add({"forest_error"}, &OperatorErrors::forest, {"forest", 4, percent})
      .show({"ratio", 3, fixed(3)}, [](const OperatorErrors& one) { return one.fitted / one.forest; });
  return table.take();
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
  const std::vector<OperatorErrors> operators = errors_by_operator(tables);
  return titled("\ncross-validation: mean error of predictions for keys left out, and that of a random forest",
                errors_table(operators), terminal) +
         summary_text(operators);
}

Json validation_json(const std::vector<ValidatedTable>& validated) {
  TableOf<ValidatedTable> tables(validated);
  tables.add({"operator"}, along(&ValidatedTable::op, operator_name))
      .add({"table"}, &ValidatedTable::place)
      .add({"rows"}, along(&ValidatedTable::errors, &ValidationErrors::rows))
      .add({"error"}, along(&ValidatedTable::errors, fitted_error))
      .add({"forest_error"}, along(&ValidatedTable::errors, forest_error));
  return JsonObject{{"operators", rows_json(errors_table(errors_by_operator(validated)))},
                    {"tables", rows_json(tables.take())}};
}

Json profiles_json(const std::string& name, const ProfileFolder& folder, const std::vector<ValidatedTable>& validated) {
  const ProfileSet& set = folder.profiles;
  JsonArray layers, holes;
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
                                   {"operators", rows_json(operators_table(coverage_of(layer)))}});
  JsonArray processors = rows_json(processors_table(set));
  for (std::size_t p = 0; p < processors.size(); ++p) {
    JsonObject processor = processors[p].object();
    processor.emplace_back("operators", rows_json(operators_table(coverage_of(set.processors[p]))));
    processors[p] = std::move(processor);
  }
  for (const Hole& hole : holes_of(set))
    holes.emplace_back(JsonObject{{"place", hole.place}, {"missing", hole.missing}});
  JsonObject all{{"folder", name},
                 {"tables", folder.tables.size()},
                 {"rows", folder.rows()},
                 {"layers", std::move(layers)},
                 {"networks", rows_json(networks_table(set))},
                 {"processors", std::move(processors)},
                 {"holes", std::move(holes)}};
  if (!validated.empty()) all.emplace_back("cross_validation", validation_json(validated));
  return all;
}

}  // namespace

ExitStatus run_profiles(const ProfilesOptions& options) {
  if (operators::has_operator_files(options.folder)) return run_operator_profiles(options);
  const unsigned threads = options.threads == 0 ? allowed_cores() : options.threads;
  const ProfileFolder folder = read_profile_folder(options.folder, catalogue_with(options.catalogues), threads);
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
  text += layers_text(folder.profiles, terminal) + titled("\nnetworks", networks_table(folder.profiles), terminal);
  text += titled("\nprocessors", processors_table(folder.profiles), terminal) + holes_text(folder.profiles);
  text += validation_text(validated, terminal);
  write_results(text);
  return ExitStatus::complete;
}

}  // namespace dfsweep
