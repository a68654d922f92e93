/// What changed between two texts of a sweep, line by line, and within long lists value by value.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/store/run_directory.hpp"
#include "io/suggestion.hpp"

namespace dfsweep::store {

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Lines of `a` without those of `b`, as multisets.
std::vector<std::string_view> without(const std::vector<std::string_view>& a, std::vector<std::string_view> b) {
  std::sort(b.begin(), b.end());
  std::vector<bool> used(b.size());
  std::vector<std::string_view> rest;
  for (const std::string_view line : a) {
    auto found = std::lower_bound(b.begin(), b.end(), line);
    while (found != b.end() && *found == line && used[static_cast<std::size_t>(found - b.begin())]) ++found;
    if (found != b.end() && *found == line)
      used[static_cast<std::size_t>(found - b.begin())] = true;
    else
      rest.push_back(line);
  }
  return rest;
}

constexpr std::size_t most_changed_values = 6;

/// "key = [a, b]" taken apart.
struct ListLine {
  std::string_view key;
  std::vector<std::string_view> values;
};

std::optional<ListLine> list_of(std::string_view line) {
  constexpr std::string_view opening = " = [";
  const std::size_t at = line.find(opening);
  if (at == std::string_view::npos || !line.ends_with("]")) return std::nullopt;
  ListLine list{line.substr(0, at), {}};
  std::string_view rest = line.substr(at + opening.size(), line.size() - at - opening.size() - 1);
  bool is_quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= rest.size(); ++i) {
    if (i < rest.size() && rest[i] == '"' && (i == 0 || rest[i - 1] != '\\')) is_quoted = !is_quoted;
    if (i < rest.size() && (rest[i] != ',' || is_quoted)) continue;
    const std::string_view value = rest.substr(begin, i - begin);
    const std::size_t first = std::min(value.find_first_not_of(' '), value.size());
    list.values.push_back(value.substr(first));
    begin = i + 1;
  }
  return list;
}

/// "3 gone (1, 2, 3)", or nothing.
std::string values_text(const std::vector<std::string_view>& values, std::string_view what) {
  if (values.empty()) return {};
  const std::vector<std::string> names(values.begin(), values.end());
  return fmt::format("{} {} ({})", values.size(), what, listed(names, most_changed_values));
}

/// A list of the same key before and after, as what it lost and gained: lists may have thousands of values.
std::string list_change(const ListLine& before, const ListLine& after) {
  const std::string gone = values_text(without(before.values, after.values), "gone");
  const std::string fresh = values_text(without(after.values, before.values), "new");
  if (gone.empty() && fresh.empty())
    return fmt::format("  ~ {}: the same {} values in another order\n", before.key, before.values.size());
  return fmt::format("  ~ {}: {}{}{} of {} values\n", before.key, gone, gone.empty() || fresh.empty() ? "" : ", ",
                     fresh, before.values.size());
}

/// Takes pairs of long lists of the same key out of both and adds what changed.
void take_lists(std::vector<std::string_view>& gone, std::vector<std::string_view>& fresh,
                std::vector<std::string>& changes) {
  for (auto line = gone.begin(); line != gone.end();) {
    const auto before = list_of(*line);
    const auto same = std::find_if(fresh.begin(), fresh.end(), [&](std::string_view other) {
      const auto after = list_of(other);
      return before && after && before->key == after->key &&
             std::max(before->values.size(), after->values.size()) > most_changed_values;
    });
    if (same == fresh.end()) {
      ++line;
      continue;
    }
    changes.push_back(list_change(*before, *list_of(*same)));
    fresh.erase(same);
    line = gone.erase(line);
  }
}

}  // namespace

std::string difference(std::string_view before, std::string_view after, std::size_t max_lines) {
  const std::vector<std::string_view> old_lines = lines_of(before);
  const std::vector<std::string_view> new_lines = lines_of(after);
  std::vector<std::string> changes;
  std::vector<std::string_view> gone = without(old_lines, new_lines);
  std::vector<std::string_view> fresh = without(new_lines, old_lines);
  take_lists(gone, fresh, changes);
  for (const std::string_view line : gone) changes.push_back(fmt::format("  - {}\n", line));
  for (const std::string_view line : fresh) changes.push_back(fmt::format("  + {}\n", line));
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), max_lines); ++i) text += changes[i];
  if (changes.size() > max_lines) text += fmt::format("  ... and {} more lines\n", changes.size() - max_lines);
  return text;
}

}  // namespace dfsweep::store
