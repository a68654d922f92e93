/// Lookup of catalogue entries.
#include "engine/catalogue/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <span>

#include "engine/catalogue/kinds.hpp"
#include "engine/console/build_info.hpp"
#include "io/checksum.hpp"
#include "io/file_system.hpp"
#include "io/json_document.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// Whether a name is safe as a relative path.
bool is_entry_name(std::string_view name) {
  const bool is_hidden = name.starts_with('.') || name.find("/.") != std::string_view::npos;
  const bool is_path = name.starts_with('/') || name.ends_with('/') || name.find("//") != std::string_view::npos;
  return !name.empty() && !is_hidden && !is_path && name.size() < 128 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+/") ==
             std::string_view::npos;
}

/// Whether a file in the folder `place` is an entry of `kind`. Files that are no documents are what their folder says,
/// so that they are reported.
bool is_of_kind(const std::filesystem::path& path, std::string_view place, std::string_view kind) {
  const auto likes = like_kinds();
  if (std::none_of(likes.begin(), likes.end(), [&](const LikeKind& like) { return like.kind == place; })) return true;
  try {
    const LikeKind* like = taken_for(parse_toml(read_text_file(path, path.string()), path.string()), place);
    return (like == nullptr ? place : like->other) == kind;
  } catch (const UserError&) {
    return place == kind;
  }
}

/// Whether the field `former_name` of an entry is `name`; false where it cannot be read. Few entries are parsed: most
/// texts do not have the words.
bool was_named(const std::filesystem::path& path, std::string_view name) {
  constexpr std::string_view field = "former_name";
  try {
    const std::string text = read_text_file(path, path.string());
    if (text.find(field) == std::string::npos) return false;
    const Document document = parse_toml(text, path.string());
    const Node* former = document.find(field);
    return former != nullptr && former->text() != nullptr && *former->text() == name;
  } catch (const UserError&) {
    return false;
  }
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

namespace {

/// What a folder holds, for range-for; nothing if it does not exist. Throws IoError if it cannot be read.
template <class Iterator>
Iterator items_of(const std::filesystem::path& folder) {
  std::error_code error;
  Iterator items(folder, error);
  if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
    throw IoError("list", folder, error.value());
  return items;
}

}  // namespace

std::vector<std::string> Catalogue::kinds() const {
  std::set<std::string> found;
  std::error_code ignored;
  for (const auto& folder : folders_)
    for (const auto& item : items_of<std::filesystem::directory_iterator>(folder))
      if (item.is_directory(ignored)) found.insert(item.path().filename().string());
  return {found.begin(), found.end()};
}

std::vector<std::string> Catalogue::names(std::string_view kind) const {
  std::set<std::string> found;
  std::error_code ignored;
  for (const auto& folder : folders_)
    for (const std::string_view place : folders_of_kind(kind))
      for (const auto& item : items_of<std::filesystem::recursive_directory_iterator>(folder / place))
        if (item.path().extension() == ".toml" && item.is_regular_file(ignored) && is_of_kind(item.path(), place, kind))
          found.insert(item.path().lexically_relative(folder / place).replace_extension().generic_string());
  return {found.begin(), found.end()};
}

Catalogue::Found Catalogue::find(std::string_view kind, std::string_view name) const {
  if (!is_entry_name(name)) return {};
  if (Found found = find_today(kind, name); !found.path.empty()) return found;
  for (const std::string& today : names(kind))
    if (Found found = find_today(kind, today); was_named(found.path, name)) return found;
  return {};
}

Catalogue::Found Catalogue::find_today(std::string_view kind, std::string_view name) const {
  std::error_code ignored;
  for (const std::string_view place : folders_of_kind(kind))
    for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) {
      std::filesystem::path path = *folder / place / fmt::format("{}.toml", name);
      if (std::filesystem::is_regular_file(path, ignored) && is_of_kind(path, place, kind))
        return {std::move(path), place, std::string(name)};
    }
  return {};
}

bool Catalogue::contains(std::string_view kind, std::string_view name) const {
  return find(kind, name).is_there();
}

std::string Catalogue::input_name(std::string_view kind, std::string_view name) const {
  const Found found = find(kind, name);
  return found.is_there() ? found.input_name() : fmt::format("catalogue/{}/{}.toml", kind, name);
}

std::string Catalogue::Found::input_name() const {
  return fmt::format("catalogue/{}/{}.toml", folder, name);
}

EntryFile Catalogue::load(std::string_view kind, std::string_view name) const {
  return load(kind, find(kind, name));
}

EntryFile Catalogue::load(std::string_view kind, const Found& found) {
  DFSWEEP_EXPECT(found.is_there());
  const std::filesystem::path& path = found.path;
  EntryFile file = read_entry_file(path, found.input_name(), kind, Sources::required);
  if (!file.problems.empty()) throw UserError(std::move(file.problems));
  if (file.entry.name != found.name)
    throw UserError({{{path.string(), 1, 1},
                      fmt::format("entry is named '{}'", file.entry.name),
                      fmt::format("its file is named '{}'", found.name),
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
                        "this variable names a folder with further entries of the catalogue",
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
