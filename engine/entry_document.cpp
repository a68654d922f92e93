/// The text of an entry as a document: TOML, or JSON where the file's name says so.
#include "engine/catalogue.hpp"
#include "io/json.hpp"

namespace dfsweep {

namespace {

/// JSON knows no positions; problems name the file.
TomlValue toml_value(const Json& json, const SourcePosition& at) {
  TomlValue value{at, std::string(), false};
  if (json.is_object()) {
    TomlTable table;
    for (const auto& [name, member] : json.object()) table.members.push_back({name, at, toml_value(member, at)});
    value.value = std::move(table);
  } else if (json.is_array()) {
    TomlArray array;
    for (const Json& element : json.array()) array.push_back(toml_value(element, at));
    value.value = std::move(array);
  } else if (json.is_text()) {
    value.value = json.text();
  } else if (std::holds_alternative<bool>(json.value())) {
    value.value = json.truth();
  } else {
    value.value = json.number();  // throws JsonError where it is null
  }
  return value;
}

}  // namespace

TomlTable entry_document(const std::string& text, const std::string& shown) {
  if (!shown.ends_with(".json")) return parse_toml(text, shown);
  try {
    const TomlValue value = toml_value(parse_json(text), {shown, 0, 0});
    if (value.table() != nullptr) return *value.table();
    throw JsonError("the document is no object");
  } catch (const JsonError& error) {
    throw UserError({{{shown, 0, 0}, "not an entry in JSON", error.what(), ""}});
  }
}

bool is_entry_file(std::string_view text) {
  return text.ends_with(".toml") || text.ends_with(".json");
}

}  // namespace dfsweep
