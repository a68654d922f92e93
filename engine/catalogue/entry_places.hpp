/// EntryPlaces: where the fields of an entry stand in the file that it was read from.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "io/diagnostic.hpp"

namespace dfsweep {

/// Fields have paths as in EntryProblem: "bandwidth", "kernel[2].m", "dimensions[1]".
class EntryPlaces {
 public:
  explicit EntryPlaces(std::string file = {}) : file_(std::move(file)) {}

  void note(std::string path, SourcePosition at) { places_.emplace(std::move(path), std::move(at)); }
  /// The field could not be read: nothing else is to be said about it.
  void note_doubt(std::string path) { doubted_.insert(std::move(path)); }
  /// The field is probably there, by another name.
  void note_misspelt(std::string path) { misspelt_.insert(std::move(path)); }

  [[nodiscard]] bool has(std::string_view path) const { return places_.find(path) != places_.end(); }
  /// Of the field, else of the innermost part around it, else of the beginning of the file.
  [[nodiscard]] SourcePosition at(std::string_view path) const;
  /// Whether the field, something in it or something around it is in doubt.
  [[nodiscard]] bool in_doubt(std::string_view path) const;

 private:
  std::string file_;
  std::map<std::string, SourcePosition, std::less<>> places_;
  std::set<std::string, std::less<>> doubted_;
  std::set<std::string, std::less<>> misspelt_;
};

}  // namespace dfsweep
