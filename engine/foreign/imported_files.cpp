#include "engine/foreign/imported_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/console/usage_error.hpp"
#include "engine/foreign/calculon_words.hpp"
#include "io/atomic_file.hpp"
#include "io/diagnostic.hpp"
#include "io/file_system.hpp"
#include "io/terminal.hpp"
#include "io/text_file.hpp"

namespace dfsweep::foreign {

namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_entry_character(char c) {
  return is_letter_or_digit(c) || std::string_view("_-.+").find(c) != std::string_view::npos;
}

bool is_entry_name(std::string_view name) {
  return !name.empty() && name.size() <= max_entry_name && is_letter_or_digit(name.front()) &&
         std::all_of(name.begin(), name.end(), is_entry_character);
}

/// Whether the file exists with another text.
bool differs(const ImportedFile& file) {
  return real_file_system().exists(file.path) && read_text_file(file.path, file.path.string()) != file.text;
}

}  // namespace

std::string made_entry_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool replaces_another = !is_entry_character(c) && name.ends_with('-');
    if (!replaces_another && (!name.empty() || is_letter_or_digit(c))) name += is_entry_character(c) ? c : '-';
  }
  while (name.ends_with('-')) name.pop_back();
  return entry_name(std::string_view(name).substr(0, max_entry_name));
}

std::filesystem::path entry_path(const std::filesystem::path& folder, std::string_view name, const std::string& shown) {
  if (!is_entry_name(name))
    throw UserError({{.at = {shown, 1, 1},
                      .problem = fmt::format("'{}' is not a name for an entry", printable(name)),
                      .reason = fmt::format("1 to {} letters, digits and _ - . +, the first a letter or digit; the "
                                            "entry becomes a file of this name",
                                            max_entry_name),
                      .hint = "--model gives another name."}});
  return folder / (std::string(name) + ".toml");
}

void write_entries(std::span<const ImportedFile> files, Existing existing) {
  std::vector<std::string> kept;
  for (const ImportedFile& file : files)
    if (existing == Existing::keep && differs(file)) kept.push_back(printable(file.path.string()));
  if (!kept.empty())
    throw UsageError(fmt::format("{} {} with another text. --force overwrites {}, another -o keeps both",
                                 fmt::join(kept, ", "), kept.size() == 1 ? "exists" : "exist",
                                 kept.size() == 1 ? "it" : "them"));
  for (const ImportedFile& file : files) write_user_file(file.path, file.text);
}

}  // namespace dfsweep::foreign
