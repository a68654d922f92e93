/// ImportedFile: catalogue entries that an import writes, under names that stay inside their folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace dfsweep::foreign {

struct ImportedFile {
  std::filesystem::path path;
  std::string text;
};

/// Longest name of an imported entry; file systems allow 255 bytes.
inline constexpr std::size_t max_entry_name = 200;

/// The name of a file or folder as a name that entry_path() takes: in small letters, '-' in place of other characters.
/// "" if nothing is left.
[[nodiscard]] std::string made_entry_name(std::string_view text);

/// FOLDER/NAME.toml. Throws UserError at `shown` unless the name begins with a letter or digit and has only letters,
/// digits and _ - . + in ASCII: a name from another program is no path.
[[nodiscard]] std::filesystem::path entry_path(const std::filesystem::path& folder, std::string_view name,
                                               const std::string& shown);

enum class Existing : std::uint8_t { keep, replace };

/// Writes files that do not exist or have other texts. Throws UsageError, before anything is written, if a file exists
/// with another text and is to be kept; IoError.
void write_entries(std::span<const ImportedFile> files, Existing existing);

}  // namespace dfsweep::foreign
