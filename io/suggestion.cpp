/// Edit distance with swaps (optimal string alignment) over short names.
#include "io/suggestion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dfsweep {

namespace {

constexpr std::size_t max_name_length = 128;  ///< longer texts are never a mistyped name

char folded(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '_' ? '-' : c;
}

enum class Kind { separator, digit, letter };

Kind kind_of(char c) {
  if (std::string_view("-_/.:").find(c) != std::string_view::npos) return Kind::separator;
  return c >= '0' && c <= '9' ? Kind::digit : Kind::letter;
}

/// Least edit distance of `name` to a proper part of `candidate` that consists of whole words.
std::size_t part_distance(std::string_view name, std::string_view candidate) {
  const auto is_edge = [&](std::size_t at) {
    return at == 0 || at == candidate.size() || kind_of(candidate[at]) != kind_of(candidate[at - 1]);
  };
  std::size_t least = candidate.size();
  for (std::size_t begin = 0; begin < candidate.size(); ++begin)
    for (std::size_t end = begin + 1; end <= candidate.size(); ++end)
      if (is_edge(begin) && is_edge(end) && end - begin < candidate.size())
        least = std::min(least, edit_distance(name, candidate.substr(begin, end - begin)));
  return least;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = folded(a[i - 1]) == folded(b[j - 1]) ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + replaced});
      if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]))
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::string nearest(std::string_view name, std::span<const std::string> names) {
  if (name.empty() || name.size() > max_name_length) return {};
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, (name.size() + 1) / 3) + 1;
  for (const std::string& candidate : names) {
    if (candidate.size() > max_name_length) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::string> names_with_part(std::string_view name, std::span<const std::string> names) {
  if (name.size() < 3 || name.size() > max_name_length) return {};
  std::size_t most = name.size() / 4;
  if (const std::string whole = nearest(name, names); !whole.empty()) {
    const std::size_t distance = edit_distance(name, whole);
    if (distance == 0) return {};
    most = std::min(most, distance - 1);
  }
  std::vector<std::string> found;
  for (const std::string& candidate : names) {
    if (candidate.size() > max_name_length) continue;
    const std::size_t distance = part_distance(name, candidate);
    if (distance > most) continue;
    if (distance < most) found.clear();
    most = distance;
    found.push_back(candidate);
  }
  return found;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> names, std::string_view otherwise) {
  const std::vector<std::string> parts = names_with_part(name, names);
  if (parts.size() > 1) return fmt::format("Did you mean one of {}?", listed(parts, 6));
  const std::string best = parts.empty() ? nearest(name, names) : parts.front();
  return best.empty() ? std::string(otherwise) : fmt::format("Did you mean '{}'?", best);
}

std::string listed(std::span<const std::string> names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

}  // namespace dfsweep
