#include "engine/catalogue/entry_places.hpp"

#include <algorithm>

namespace dfsweep {

namespace {

/// "kernel[2].m" to "kernel[].m".
std::string without_indices(std::string_view path) {
  std::string out;
  for (const char c : path)
    if (out.empty() || out.back() != '[' || c < '0' || c > '9') out += c;
  return out;
}

bool is_within(std::string_view path, std::string_view whole) {
  return path.starts_with(whole) &&
         (path.size() == whole.size() || path[whole.size()] == '.' || path[whole.size()] == '[');
}

}  // namespace

SourcePosition EntryPlaces::at(std::string_view path) const {
  for (;;) {
    if (const auto found = places_.find(path); found != places_.end()) return found->second;
    const std::size_t end = path.find_last_of(".[");
    if (end == std::string_view::npos) return {file_, 1, 1};
    path = path.substr(0, end);
  }
}

bool EntryPlaces::is_unreadable(std::string_view path) const {
  const bool any_index = path.find("[]") != std::string_view::npos;
  const auto concerns = [&](const std::string& exact) {
    const std::string doubted = any_index ? without_indices(exact) : exact;
    return is_within(path, doubted) || is_within(doubted, path);
  };
  return std::any_of(unreadable_.begin(), unreadable_.end(), concerns) ||
         std::any_of(misspelt_.begin(), misspelt_.end(),
                     [&](const std::string& exact) { return !has(exact) && concerns(exact); });
}

}  // namespace dfsweep
