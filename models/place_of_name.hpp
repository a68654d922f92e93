/// Index of a name in a published table (parameters, metrics, calibrated numbers).
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

namespace dfsweep {

/// Index of the first element of `table` whose member `name` equals `name`; empty if not found.
template <class Table>
[[nodiscard]] std::optional<std::size_t> place_of_name(const Table& table, std::string_view name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const auto& element) { return element.name == name; });
  if (found == table.end()) return std::nullopt;
  return static_cast<std::size_t>(std::distance(table.begin(), found));
}

}  // namespace dfsweep
