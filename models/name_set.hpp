/// NameSet: the enumerators that a list of names in an entry holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/enum_array.hpp"

namespace dfsweep {

/// A set of enumerators of an enumeration of at most 32.
template <class Enumerator>
class NameSet {
 public:
  constexpr NameSet() = default;
  constexpr NameSet(std::initializer_list<Enumerator> members) {
    for (const Enumerator member : members) add(member);
  }
  [[nodiscard]] static constexpr NameSet all() {
    NameSet set;
    for (std::size_t i = 0; i < count_of<Enumerator>; ++i) set.add(static_cast<Enumerator>(i));
    return set;
  }
  constexpr void add(Enumerator member) { bits_ |= bit(member); }
  [[nodiscard]] constexpr bool has(Enumerator member) const { return (bits_ & bit(member)) != 0; }
  bool operator==(const NameSet&) const = default;

 private:
  static constexpr std::uint32_t bit(Enumerator member) { return std::uint32_t{1} << index_of(member); }
  std::uint32_t bits_ = 0;
};

/// The set that list `field` of an entry names, or `otherwise` where the entry lacks the field. `choices`:
/// [Enumerator]. A name that is not among them becomes a problem.
template <class Enumerator>
[[nodiscard]] NameSet<Enumerator> names_or(const Entry& entry, std::string_view field,
                                           std::span<const std::string_view> choices, NameSet<Enumerator> otherwise,
                                           std::vector<EntryProblem>& problems) {
  const auto found = entry.text_lists.find(field);
  const bool is_empty_list = entry.lists.contains(field);
  if (found == entry.text_lists.end()) return is_empty_list ? NameSet<Enumerator>{} : otherwise;
  NameSet<Enumerator> set;
  for (std::size_t i = 0; i < found->second.size(); ++i) {
    const auto known = std::find(choices.begin(), choices.end(), found->second[i]);
    if (known != choices.end()) {
      set.add(static_cast<Enumerator>(known - choices.begin()));
      continue;
    }
    std::string listed;
    for (const std::string_view name : choices) listed += (listed.empty() ? "choices: " : ", ") + std::string(name);
    problems.push_back({"'" + std::string(field) + "' holds '" + found->second[i] + "'",
                        std::move(listed),
                        {std::string(field) + "[" + std::to_string(i) + "]"}});
  }
  return set;
}

}  // namespace dfsweep
