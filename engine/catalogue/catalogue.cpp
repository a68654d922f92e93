/// Finding and naming catalogue entries.
#include "engine/catalogue/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <span>

#include "engine/console/build_info.hpp"
#include "io/checksum.hpp"
#include "io/json_document.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// Names of entries become paths, so they hold nothing that leads elsewhere.
bool is_entry_name(std::string_view name) {
  const bool is_hidden = name.starts_with('.') || name.find("/.") != std::string_view::npos;
  const bool is_path = name.starts_with('/') || name.ends_with('/') || name.find("//") != std::string_view::npos;
  return !name.empty() && !is_hidden && !is_path && name.size() < 128 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+/") ==
             std::string_view::npos;
}

}  // namespace

EntryFile read_entry_file(const std::filesystem::path& path, std::string input_name, std::string_view kind,
                          Sources sources) {
  const std::string shown = path.string();
  const std::string text = read_text_file(path, shown);
  EntryFile file = read_entry(entry_document(text, shown), shown, path.stem().string(), kind, sources);
  file.input = {std::move(input_name), xxh3_128_hex(std::as_bytes(std::span(text))), text};
  return file;
}

std::vector<std::string> Catalogue::kinds() const {
  std::set<std::string> found;
  std::error_code ignored;
  for (const auto& folder : folders_)
    for (const auto& item : std::filesystem::directory_iterator(folder, ignored))
      if (item.is_directory(ignored)) found.insert(item.path().filename().string());
  return {found.begin(), found.end()};
}

std::vector<std::string> Catalogue::names(std::string_view kind) const {
  std::set<std::string> found;
  std::error_code ignored;
  for (const auto& folder : folders_)
    for (const auto& item : std::filesystem::recursive_directory_iterator(folder / kind, ignored))
      if (item.path().extension() == ".toml" && item.is_regular_file(ignored))
        found.insert(item.path().lexically_relative(folder / kind).replace_extension().generic_string());
  return {found.begin(), found.end()};
}

std::filesystem::path Catalogue::path_of(std::string_view kind, std::string_view name) const {
  if (!is_entry_name(name)) return {};
  std::error_code ignored;
  for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) {
    const std::filesystem::path path = *folder / kind / fmt::format("{}.toml", name);
    if (std::filesystem::is_regular_file(path, ignored)) return path;
  }
  return {};
}

bool Catalogue::contains(std::string_view kind, std::string_view name) const {
  return !path_of(kind, name).empty();
}

EntryFile Catalogue::load(std::string_view kind, std::string_view name) const {
  const std::filesystem::path path = path_of(kind, name);
  DFSWEEP_EXPECT(!path.empty());
  EntryFile file = read_entry_file(path, fmt::format("catalogue/{}/{}.toml", kind, name), kind, Sources::required);
  if (!file.problems.empty()) throw UserError(std::move(file.problems));
  if (file.entry.name != name)
    throw UserError({{{path.string(), 1, 1},
                      fmt::format("entry is named '{}'", file.entry.name),
                      fmt::format("its file is named '{}'", name),
                      "Give both the same name"}});
  return file;
}

Catalogue catalogue_with(const std::vector<std::filesystem::path>& more) {
  std::vector<std::filesystem::path> folders;
  std::error_code error;
  const std::filesystem::path installed = installed_data_folder();
  folders.push_back((installed.empty() ? std::filesystem::path(source_data_folder()) : installed) / "catalogue");
  if (const char* own = std::getenv("DFSWEEP_CATALOGUE"); own != nullptr && *own != '\0') {
    if (!std::filesystem::is_directory(own, error))
      throw UserError({{{"DFSWEEP_CATALOGUE", 0, 0},
                        fmt::format("no folder '{}'", own),
                        "it is to add entries to the catalogue",
                        ""}});
    folders.emplace_back(own);
  }
  folders.insert(folders.end(), more.begin(), more.end());
  return Catalogue(std::move(folders));
}

Document entry_document(const std::string& text, const std::string& shown) {
  return shown.ends_with(".json") ? parse_json_document(text, shown) : parse_toml(text, shown);
}

bool is_entry_file(std::string_view text) {
  return text.ends_with(".toml") || text.ends_with(".json");
}

}  // namespace dfsweep
