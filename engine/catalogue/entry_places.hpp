/// EntryPlaces: source positions of the fields of an entry.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "io/diagnostic.hpp"

namespace dfsweep {

/// Paths of fields are those of EntryProblem: "bandwidth", "kernel[2].m", "dimensions[1]".
class EntryPlaces {
 public:
  explicit EntryPlaces(std::string file = {}) : file_(std::move(file)) {}

  void note(std::string path, SourcePosition at) { places_.emplace(std::move(path), std::move(at)); }
  /// The field could not be read: suppress further problems about it.
  void mark_unreadable(std::string path) { unreadable_.insert(std::move(path)); }
  /// The field is probably present with a misspelt name: do not report it as missing.
  void mark_misspelt(std::string path) { misspelt_.insert(std::move(path)); }

  [[nodiscard]] bool has(std::string_view path) const { return places_.find(path) != places_.end(); }
  /// Position of the field, else of the innermost enclosing part, else of the start of the file.
  [[nodiscard]] SourcePosition at(std::string_view path) const;
  /// Whether the field, a part of it or an enclosing part could not be read.
  [[nodiscard]] bool is_unreadable(std::string_view path) const;

 private:
  std::string file_;
  std::map<std::string, SourcePosition, std::less<>> places_;
  std::set<std::string, std::less<>> unreadable_;
  std::set<std::string, std::less<>> misspelt_;
};

}  // namespace dfsweep
