/// Describe: tables of estimators and entries of the catalogue, on the terminal.
#include "engine/commands/describe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/kinds.hpp"
#include "engine/commands/describe_parts.hpp"
#include "engine/commands/reference_docs.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/sweep/estimators.hpp"
#include "engine/tables/rendering.hpp"
#include "io/suggestion.hpp"
#include "models/kernels/capabilities.hpp"
#include "models/short_number.hpp"

namespace dfsweep {
namespace {

void describe_estimators(const DescribeOptions& options, const Terminal& terminal) {
  TableOf<const Estimator*> all({estimators().begin(), estimators().end()});
  all.add(
         {"name"}, [](const Estimator* estimator) { return estimator->name(); }, name_look("estimator", 2))
      .add(
          {"meaning"}, [](const Estimator* estimator) { return estimator->meaning(); }, text_look("meaning", 1));
  const DataTable table = all.take();
  write_results(options.form == DescribeForm::json
                    ? to_text(JsonObject{{"estimators", rows_json(table)}})
                    : table_text(table, terminal) +
                          "\n'dfsweep describe NAME' shows one of them, 'dfsweep describe catalogue' the entries that "
                          "sweeps can name, 'dfsweep describe model NAME' the sizes of a model.\n");
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
    std::vector<std::string> names{"catalogue", "model"};
    for (const Estimator* one : estimators()) names.emplace_back(one->name());
    const std::string known = did_you_mean(name, names, "Names: " + listed(names) + ".");
    throw UsageError(
        fmt::format("unknown name '{}'. {}", name, entry_hint(catalogue_with(options.catalogues), name, known)));
  }
  if (options.form == DescribeForm::json) return write_results(to_text(estimator_json(*estimator)));
  if (options.form == DescribeForm::markdown) return write_results(reference_page(*estimator));
  const std::span<const std::string> words = std::span(options.subject).subspan(1);
  if (!words.empty()) return write_results(words_text(*estimator, words, terminal));
  switch (options.tables) {
    case DescribeTables::overview:
      return write_results(overview_text(*estimator, terminal));
    case DescribeTables::all:
      return write_results(all_text(*estimator, terminal));
    case DescribeTables::calibration:
      return write_results(calibration_text(*estimator, terminal));
  }
}

void describe_models(const DescribeOptions& options, const Terminal& terminal) {
  const Catalogue catalogue = catalogue_with(options.catalogues);
  const std::span<const std::string> names = std::span(options.subject).subspan(1);
  if (names.empty())
    throw UsageError("describe model needs a name or a file. 'dfsweep describe catalogue models' lists the names.");
  std::string text;
  JsonArray all;
  for (const std::string& name : names) {
    const EntryFile file = model_file(catalogue, name);
    all.push_back(sizes_json(file));
    text += fmt::format("{}{} ({})\n", text.empty() ? "" : "\n", toned(terminal, Tone::bold, name), file.input.name);
    text += wrapped(file.entry.text_or("description", ""), terminal, 0) + sizes_text(file, terminal);
  }
  write_results(options.form == DescribeForm::json ? to_text(JsonObject{{"models", std::move(all)}}) : text);
}

void describe_kinds(const Catalogue& catalogue, const DescribeOptions& options, const Terminal& terminal) {
  if (options.form == DescribeForm::json) {
    JsonObject kinds;
    for (const std::string& kind : catalogue.kinds()) {
      const std::vector<std::string> names = catalogue.names(kind);
      kinds.emplace_back(kind, JsonArray(names.begin(), names.end()));
    }
    return write_results(to_text(std::move(kinds)));
  }
  TableOf<std::string> kinds(catalogue.kinds());
  kinds.show(name_look("kind", 2), [](const std::string& kind) { return kind; })
      .show(text_look("entries", 1), [&](const std::string& kind) { return listed(catalogue.names(kind), 100); });
  write_results(table_text(kinds.take(), terminal));
}

DataTable fields_table(std::string_view kind) {
  const auto fields = fields_of_kind(kind);
  TableOf<FieldInfo> table({fields.begin(), fields.end()});
  table.add({"field"}, &FieldInfo::path, name_look("field", 3))
      .add({"unit"}, &FieldInfo::unit)
      .show(name_look("unit", 2), [](const FieldInfo& field) { return field.unit == "1" ? "" : field.unit; });
  // Estimators share entries of some kinds, and each reads some of the fields.
  if (std::any_of(fields.begin(), fields.end(), [](const FieldInfo& field) { return !field.readers.empty(); }))
    table.add({"readers"}, &FieldInfo::readers, name_look("read by", 2));
  table.add({"meaning"}, &FieldInfo::meaning, text_look("meaning", 1));
  return table.take();
}

/// Numbers that a list of entries shows, since they tell entries apart.
std::vector<std::string_view> listed_fields(std::string_view kind) {
  if (kind == "memories") return {"bandwidth", "capacity"};
  if (kind == "interconnects") return {"bandwidth"};
  return {};
}

using NamedEntry = std::pair<std::string, EntryFile>;

std::string description_of(const NamedEntry& entry) {
  return entry.second.entry.text_or("description", "");
}

DataTable entries_table(const std::string& kind, std::vector<NamedEntry> entries) {
  TableOf<NamedEntry> table(std::move(entries));
  table.show(name_look(kind, 2), &NamedEntry::first);
  for (const std::string_view path : listed_fields(kind))
    table.show(name_look(std::string(path), 2), [path](const NamedEntry& entry) {
      const std::vector<EntryField>& fields = entry.second.fields;
      const auto field =
          std::find_if(fields.begin(), fields.end(), [path](const EntryField& one) { return one.path == path; });
      return field == fields.end() ? std::string() : field->written;
    });
  table.show(text_look("description", 1), description_of);
  return table.take();
}

void describe_kind(const Catalogue& catalogue, const DescribeOptions& options, const Terminal& terminal) {
  const std::string& kind = options.subject[1];
  const std::vector<std::string> kinds = catalogue.kinds();
  const bool has_fields = !fields_of_kind(kind).empty();  // mappings are files only
  if (!has_fields && std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    throw UsageError(
        fmt::format("the catalogue has no kind '{}'. {}", kind,
                    entry_hint(catalogue, kind, did_you_mean(kind, kinds, "Kinds: " + listed(kinds) + "."))));
  std::vector<NamedEntry> entries;
  for (const std::string& name : catalogue.names(kind)) entries.emplace_back(name, catalogue.load(kind, name));
  const DataTable fields = fields_table(kind);
  if (options.form == DescribeForm::json) {
    JsonObject described;
    for (const NamedEntry& entry : entries) described.emplace_back(entry.first, description_of(entry));
    return write_results(to_text(JsonObject{{"entries", std::move(described)}, {"fields", rows_json(fields)}}));
  }
  const DataTable described = entries_table(kind, std::move(entries));
  std::string text = described.rows == 0 ? "  no entries; sweeps name files\n" : table_text(described, terminal);
  if (fields.rows != 0) text += "\n" + table_text(fields, terminal);
  write_results(text);
}

/// What a software stack can run is unknown where its entry does not list it.
void add_unknown_lists(std::string_view kind, std::vector<EntryField>& fields) {
  if (kind != "software") return;
  for (const FieldInfo& info : capability_fields) {
    const auto is_it = [&](const EntryField& field) { return field.path == info.path; };
    if (std::none_of(fields.begin(), fields.end(), is_it)) fields.push_back({std::string(info.path), "unknown", ""});
  }
}

void describe_entry(const Catalogue& catalogue, const DescribeOptions& options, const Terminal& terminal) {
  const std::string& kind = options.subject[1];
  const std::string& name = options.subject[2];
  if (!catalogue.contains(kind, name)) {
    const std::vector<std::string> names = catalogue.names(kind);
    throw UsageError(fmt::format("'{}' is not in the catalogue of {}. {}", name, kind,
                                 did_you_mean(name, names, "There are: " + listed(names, 100) + ".")));
  }
  EntryFile file = catalogue.load(kind, name);
  if (options.form == DescribeForm::text)
    std::erase_if(file.fields,
                  [](const EntryField& field) { return field.path == "name" || field.path == "description"; });
  add_unknown_lists(kind, file.fields);
  TableOf<EntryField> fields(std::move(file.fields));
  fields.add({"field"}, &EntryField::path, name_look("field", 3))
      .add({"value"}, &EntryField::written, text_look("value", 2))
      .show(text_look("source", 1), &EntryField::source)
      .add({"source"}, along(&EntryField::source, text_or_null));
  const DataTable table = fields.take();
  if (options.form == DescribeForm::json)
    return write_results(to_text(JsonObject{{"kind", kind}, {"name", name}, {"fields", rows_json(table)}}));
  const std::string description = file.entry.text_or("description", "");
  std::string text = fmt::format("{} ({})\n", toned(terminal, Tone::bold, name), file.input.name);
  if (!description.empty()) text += wrapped(description, terminal, 0);
  write_results(text + "\n" + table_text(table, terminal));
}

}  // namespace

ExitStatus run_describe(const DescribeOptions& options) {
  const Terminal terminal = terminal_of(1, options.colour);
  const bool is_estimator =
      options.subject.size() == 1 && options.subject.front() != "catalogue" && options.subject.front() != "model";
  if (options.form == DescribeForm::markdown && !is_estimator)
    throw UsageError("--markdown needs an estimator: dfsweep describe ESTIMATOR --markdown.");
  if (options.subject.empty()) {
    describe_estimators(options, terminal);
    return ExitStatus::complete;
  }
  if (options.subject.front() == "model") {
    describe_models(options, terminal);
    return ExitStatus::complete;
  }
  if (options.subject.front() != "catalogue") {
    describe_estimator(options, terminal);
    return ExitStatus::complete;
  }
  const Catalogue catalogue = catalogue_with(options.catalogues);
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
