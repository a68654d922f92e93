/// Describe: tables of estimators and entries of the catalogue, on the terminal.
#include "engine/commands/describe.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/kinds.hpp"
#include "engine/commands/reference_docs.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/sweep/estimators.hpp"
#include "io/suggestion.hpp"
#include "models/short_number.hpp"

namespace dfsweep {
namespace {

constexpr std::size_t narrowest_description = 12;

/// A table of texts, all left-aligned; where the width does not suffice, names and meanings stay longest.
std::string table_text(std::vector<TextColumn> columns, const Terminal& terminal) {
  if (columns.front().cells.empty()) return "  none\n";
  return table_with_note(columns, terminal, 2);
}

/// A name_column of names, which stay whole.
TextColumn name_column(std::string heading, int weight) {
  return {std::move(heading), "", Align::left, {}, weight};
}
/// A name_column of texts, which are broken into lines.
TextColumn text_column(std::string heading, int weight) {
  return {std::move(heading), "", Align::left, {}, weight, narrowest_description};
}

std::string parameters_text(const Estimator& estimator, const Terminal& terminal) {
  std::vector<TextColumn> columns{name_column("parameter", 5), name_column("unit", 2), text_column("values", 3),
                                  text_column("default", 1), text_column("meaning", 4)};
  for (const ParameterInfo& info : estimator.parameters()) {
    columns[0].cells.emplace_back(info.name);
    columns[1].cells.emplace_back(info.unit);
    columns[2].cells.push_back(legal_values(info));
    columns[3].cells.push_back(default_text(info));
    columns[4].cells.push_back(std::string(info.meaning) +
                               (info.overrides.empty() ? "" : fmt::format("; replaces {}", info.overrides)));
  }
  return table_text(std::move(columns), terminal);
}

std::string metrics_text(const Estimator& estimator, const Terminal& terminal) {
  std::vector<TextColumn> columns{name_column("metric", 5), name_column("unit", 3), name_column("better", 2),
                                  text_column("also with", 1), text_column("meaning", 4)};
  for (const MetricInfo& info : estimator.metrics()) {
    columns[0].cells.emplace_back(info.name);
    columns[1].cells.emplace_back(info.unit);
    columns[2].cells.emplace_back(better_text(info.better));
    columns[3].cells.push_back(valid_statuses_text(info, estimator));
    columns[4].cells.emplace_back(info.meaning);
  }
  return table_text(std::move(columns), terminal);
}

std::string estimator_text(const Estimator& estimator, const Terminal& terminal) {
  std::vector<TextColumn> statuses{name_column("status", 2), text_column("meaning", 1)};
  for (const StatusInfo& info : estimator.statuses()) {
    statuses[0].cells.emplace_back(info.name);
    statuses[1].cells.emplace_back(info.meaning);
  }
  std::string text = fmt::format("{}: {}\n\n", toned(terminal, Tone::bold, estimator.name()), estimator.meaning());
  text += "parameters\n" + parameters_text(estimator, terminal) + "\nmetrics\n" + metrics_text(estimator, terminal);
  text += "\nstatuses\n" + table_text(std::move(statuses), terminal);
  for (const DataInfo& info : estimator.data())
    text += fmt::format("\ndata {} ({}): {}\n", info.name, info.required ? "needed" : "optional", info.meaning);
  return text;
}

std::string calibration_text(const Estimator& estimator, const Terminal& terminal) {
  if (estimator.calibration().empty())
    return fmt::format("{}: measurements correct no number of this estimator. They do of: {}.\n",
                       toned(terminal, Tone::bold, estimator.name()), listed(correctable_estimators()));
  std::vector<TextColumn> columns{name_column("number", 5),     name_column("unit", 2),    name_column("usual", 2),
                                  name_column("spread", 2),     name_column("at most", 2), name_column("about", 2),
                                  name_column("belongs to", 2), text_column("meaning", 1)};
  for (const CalibrationInfo& info : estimator.calibration()) {
    columns[0].cells.emplace_back(info.field);
    columns[1].cells.emplace_back(info.unit);
    columns[2].cells.push_back(short_number(info.usual));
    columns[3].cells.push_back(short_number(100 * info.spread) + " %");
    columns[4].cells.push_back(std::isfinite(info.highest) ? short_number(info.highest) : "");
    columns[5].cells.emplace_back(name_of(info.resource));
    columns[6].cells.emplace_back(info.belongs_to);
    columns[7].cells.emplace_back(info.meaning);
  }
  return fmt::format("{}: numbers of entries of {} that measurements may correct ('dfsweep calibrate')\n\n{}",
                     toned(terminal, Tone::bold, estimator.name()), estimator.calibration().front().parameter,
                     table_text(std::move(columns), terminal));
}

void describe_estimators(const DescribeOptions& options, const Terminal& terminal) {
  if (options.form == DescribeForm::json) {
    JsonArray all;
    for (const Estimator* estimator : estimators())
      all.emplace_back(JsonObject{{"name", estimator->name()}, {"meaning", estimator->meaning()}});
    return write_results(to_text(JsonObject{{"estimators", std::move(all)}}));
  }
  std::vector<TextColumn> columns{name_column("estimator", 2), text_column("meaning", 1)};
  for (const Estimator* estimator : estimators()) {
    columns[0].cells.emplace_back(estimator->name());
    columns[1].cells.emplace_back(estimator->meaning());
  }
  write_results(table_text(std::move(columns), terminal) +
                "\n'dfsweep describe NAME' lists parameters and metrics, 'dfsweep describe catalogue' the entries that "
                "sweeps can name.\n");
}

Catalogue catalogue_of(const DescribeOptions& options) {
  std::vector<std::filesystem::path> folders = default_catalogue_folders();
  folders.insert(folders.end(), options.catalogues.begin(), options.catalogues.end());
  return Catalogue(std::move(folders));
}

/// The command that describes an entry of this name, where there is one; else `otherwise`.
std::string entry_hint(const Catalogue& catalogue, const std::string& name, std::string otherwise) {
  for (const std::string& kind : catalogue.kinds())
    if (catalogue.contains(kind, name))
      return fmt::format("It is an entry: 'dfsweep describe catalogue {} {}' shows it.", kind, name);
  return otherwise;
}

void describe_estimator(const DescribeOptions& options, const Terminal& terminal) {
  const std::string& name = options.subject.front();
  const Estimator* estimator = find_estimator(name);
  if (estimator == nullptr) {
    std::vector<std::string> names{"catalogue"};
    for (const Estimator* one : estimators()) names.emplace_back(one->name());
    const std::string known = did_you_mean(name, names, "There are: " + listed(names) + ".");
    throw UsageError(fmt::format("nothing is called '{}'. {}", name, entry_hint(catalogue_of(options), name, known)));
  }
  if (options.subject.size() > 1) throw UsageError(fmt::format("unexpected argument '{}'.", options.subject[1]));
  switch (options.form) {
    case DescribeForm::text:
      return write_results(options.tables == DescribeTables::calibration ? calibration_text(*estimator, terminal)
                                                                         : estimator_text(*estimator, terminal));
    case DescribeForm::json:
      return write_results(to_text(estimator_json(*estimator)));
    case DescribeForm::markdown:
      return write_results(reference_page(*estimator));
  }
}

void describe_kinds(const Catalogue& catalogue, const DescribeOptions& options, const Terminal& terminal) {
  std::vector<TextColumn> columns{name_column("kind", 2), text_column("entries", 1)};
  JsonObject kinds;
  for (const std::string& kind : catalogue.kinds()) {
    const std::vector<std::string> names = catalogue.names(kind);
    columns[0].cells.push_back(kind);
    columns[1].cells.push_back(listed(names, 100));
    kinds.emplace_back(kind, JsonArray(names.begin(), names.end()));
  }
  write_results(options.form == DescribeForm::json ? to_text(std::move(kinds))
                                                   : table_text(std::move(columns), terminal));
}

void describe_kind(const Catalogue& catalogue, const DescribeOptions& options, const Terminal& terminal) {
  const std::string& kind = options.subject[1];
  const std::vector<std::string> kinds = catalogue.kinds();
  const bool has_fields = !fields_of_kind(kind).empty();  // mappings are files only
  if (!has_fields && std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    throw UsageError(
        fmt::format("the catalogue has no kind '{}'. {}", kind,
                    entry_hint(catalogue, kind, did_you_mean(kind, kinds, "Kinds: " + listed(kinds) + "."))));
  std::vector<TextColumn> columns{name_column(kind, 2), text_column("description", 1)};
  JsonObject entries;
  for (const std::string& name : catalogue.names(kind)) {
    const std::string description = catalogue.load(kind, name).entry.text_or("description", "");
    columns[0].cells.push_back(name);
    columns[1].cells.push_back(description);
    entries.emplace_back(name, description);
  }
  std::vector<TextColumn> field_columns{name_column("field", 3), name_column("unit", 2), text_column("meaning", 1)};
  JsonArray fields;
  for (const FieldInfo& field : fields_of_kind(kind)) {
    field_columns[0].cells.emplace_back(field.path);
    field_columns[1].cells.emplace_back(field.unit == "1" ? "" : field.unit);
    field_columns[2].cells.emplace_back(field.meaning);
    fields.emplace_back(JsonObject{{"field", std::string(field.path)},
                                   {"unit", std::string(field.unit)},
                                   {"meaning", std::string(field.meaning)}});
  }
  if (options.form == DescribeForm::json)
    return write_results(to_text(JsonObject{{"entries", std::move(entries)}, {"fields", std::move(fields)}}));
  std::string text =
      columns[0].cells.empty() ? "  no entries; sweeps name files\n" : table_text(std::move(columns), terminal);
  if (!field_columns[0].cells.empty()) text += "\n" + table_text(std::move(field_columns), terminal);
  write_results(text);
}

void describe_entry(const Catalogue& catalogue, const DescribeOptions& options, const Terminal& terminal) {
  const std::string& kind = options.subject[1];
  const std::string& name = options.subject[2];
  if (!catalogue.contains(kind, name)) {
    const std::vector<std::string> names = catalogue.names(kind);
    throw UsageError(fmt::format("'{}' is not in the catalogue of {}. {}", name, kind,
                                 did_you_mean(name, names, "There are: " + listed(names, 100) + ".")));
  }
  const EntryFile file = catalogue.load(kind, name);
  if (options.form == DescribeForm::json) {
    JsonArray fields;
    for (const EntryField& field : file.fields)
      fields.emplace_back(JsonObject{{"field", field.path},
                                     {"value", field.written},
                                     {"source", field.source.empty() ? Json(nullptr) : Json(field.source)}});
    return write_results(to_text(JsonObject{{"kind", kind}, {"name", name}, {"fields", std::move(fields)}}));
  }
  std::vector<TextColumn> columns{name_column("field", 3), text_column("value", 2), text_column("source", 1)};
  for (const EntryField& field : file.fields) {
    if (field.path == "name" || field.path == "description") continue;
    columns[0].cells.push_back(field.path);
    columns[1].cells.push_back(field.written);
    columns[2].cells.push_back(field.source);
  }
  const std::string description = file.entry.text_or("description", "");
  std::string text = fmt::format("{} ({})\n", toned(terminal, Tone::bold, name), file.input.name);
  if (!description.empty()) text += wrapped(description, terminal, 0);
  write_results(text + "\n" + table_text(std::move(columns), terminal));
}

}  // namespace

ExitStatus run_describe(const DescribeOptions& options) {
  const Terminal terminal = terminal_of(1, options.colour);
  const bool is_estimator = options.subject.size() == 1 && options.subject.front() != "catalogue";
  if (options.form == DescribeForm::markdown && !is_estimator)
    throw UsageError("--markdown needs an estimator: dfsweep describe ESTIMATOR --markdown.");
  if (options.subject.empty()) {
    describe_estimators(options, terminal);
    return ExitStatus::complete;
  }
  if (options.subject.front() != "catalogue") {
    describe_estimator(options, terminal);
    return ExitStatus::complete;
  }
  const Catalogue catalogue = catalogue_of(options);
  switch (options.subject.size()) {
    case 1:
      describe_kinds(catalogue, options, terminal);
      break;
    case 2:
      describe_kind(catalogue, options, terminal);
      break;
    case 3:
      describe_entry(catalogue, options, terminal);
      break;
    default:
      throw UsageError("describe catalogue takes at most a kind and a name.");
  }
  return ExitStatus::complete;
}

}  // namespace dfsweep
