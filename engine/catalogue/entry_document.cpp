/// The text of an entry as a document: TOML, or JSON where the file's name says so.
#include "engine/catalogue/catalogue.hpp"
#include "io/json_document.hpp"

namespace dfsweep {

Document entry_document(const std::string& text, const std::string& shown) {
  return shown.ends_with(".json") ? parse_json_document(text, shown) : parse_toml(text, shown);
}

bool is_entry_file(std::string_view text) {
  return text.ends_with(".toml") || text.ends_with(".json");
}

}  // namespace dfsweep
