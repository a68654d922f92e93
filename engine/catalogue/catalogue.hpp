/// Catalogue: folders of named entries (catalogue/devices/h100.toml); an entry is read when a sweep uses it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalogue/entry_places.hpp"
#include "io/toml.hpp"
#include "models/entry.hpp"

namespace dfsweep {

/// A data file or catalogue entry that determines results: its name as written and its content's checksum.
struct InputFile {
  std::string name;
  std::string checksum;  ///< XXH3-128, 32 hexadecimal digits
  std::string text;      ///< whole text for catalogue entries and graphs; empty for tables of measurements
};

/// A field of an entry as its author wrote it, for `describe`.
struct EntryField {
  std::string path;     ///< "peak_flops", "tier[1].bandwidth"
  std::string written;  ///< "993.2 TFLOP/s"
  std::string source;   ///< "" if no source is required
};

enum class EntryOrigin : std::uint8_t {
  catalogue,  ///< found by its name
  file,       ///< a file of the user, named by its path
};

/// An entry with its source text.
struct EntryFile {
  Entry entry;  ///< without fields that have problems
  EntryOrigin origin = EntryOrigin::catalogue;
  std::vector<EntryField> fields;  ///< in file order
  EntryPlaces places;
  std::vector<Problem> problems;  ///< if not empty, use the entry only to find more problems
  InputFile input;
};

/// Whether every number needs a source: required in the catalogue, optional in files of the user.
enum class Sources : std::uint8_t { required, optional };

/// Converts a document and checks its fields against those of its kind (fields_of_kind). A number is `1`, "2 TB/s" or
/// `{ value = ..., source = "..." }`; other texts stay texts; tables and arrays of tables become parts, whose plain
/// numbers may share one `source` key. Messages name the file `shown`. Throws UserError where the fields are those of
/// another kind (taken_for).
[[nodiscard]] EntryFile read_entry(const Document& document, const std::string& shown, std::string name,
                                   std::string_view kind, Sources sources);

/// Parses `text` as TOML, or as JSON if `shown` ends in ".json". Throws UserError.
[[nodiscard]] Document entry_document(const std::string& text, const std::string& shown);
/// Whether a value is the path of an entry file instead of the name of an entry.
[[nodiscard]] bool is_entry_file(std::string_view text);

/// Reads an entry file; `input_name` is its name in the dataset. Throws UserError if it cannot be parsed.
[[nodiscard]] EntryFile read_entry_file(const std::filesystem::path& path, std::string input_name,
                                        std::string_view kind, Sources sources);

/// Names can have several levels: catalogue/models/meta-llama/Llama-2-7b-hf.toml.
class Catalogue {
 public:
  /// Later folders add to or override earlier ones; folders that do not exist are ignored.
  explicit Catalogue(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {}
  [[nodiscard]] const std::vector<std::filesystem::path>& folders() const { return folders_; }
  /// "devices", "models", ...: sub-folders, sorted.
  [[nodiscard]] std::vector<std::string> kinds() const;
  /// Names of the entries of a kind, sorted. An entry belongs to the kind that its fields say (taken_for), also in a
  /// folder that held such entries before their kind had one (folders_of_kind).
  [[nodiscard]] std::vector<std::string> names(std::string_view kind) const;
  /// An entry, and the folder of the catalogue that holds it.
  struct Found {
    std::filesystem::path path;  ///< empty where the catalogue has no such entry
    std::string_view folder;
    std::string name;  ///< today's
    [[nodiscard]] bool is_there() const { return !path.empty(); }
    /// How datasets name the entry: "catalogue/devices/h100.toml", by the folder that holds it. Pre: is_there().
    [[nodiscard]] std::string input_name() const;
  };
  /// Also by a former name (field `former_name`), which may take a look into every entry of the kind; likewise
  /// contains(), input_name() and load().
  [[nodiscard]] Found find(std::string_view kind, std::string_view name) const;
  [[nodiscard]] bool contains(std::string_view kind, std::string_view name) const;
  /// Found::input_name(). An entry in no folder is named by its kind.
  [[nodiscard]] std::string input_name(std::string_view kind, std::string_view name) const;
  /// Pre: contains(kind, name). Throws UserError where the file is malformed.
  [[nodiscard]] EntryFile load(std::string_view kind, std::string_view name) const;
  /// Pre: found.is_there().
  [[nodiscard]] static EntryFile load(std::string_view kind, const Found& found);

 private:
  [[nodiscard]] Found find_today(std::string_view kind, std::string_view name) const;
  std::vector<std::filesystem::path> folders_;
};

/// The entries that came with the program, beside the installed program, else in the source tree; then those of the
/// folder that DFSWEEP_CATALOGUE names, if it is set, and of `more`. Throws UserError where the variable names no
/// folder.
[[nodiscard]] Catalogue catalogue_with(const std::vector<std::filesystem::path>& more);

}  // namespace dfsweep
