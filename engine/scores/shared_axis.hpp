/// An axis that several results share: its values in all of them, and the code of each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/results/scan.hpp"

namespace dfsweep {

struct SharedAxis {
  /// Where one result has the values.
  struct Place {
    const DatasetColumn* column = nullptr;     ///< null: the value is fixed in this result
    std::vector<std::uint32_t> code_of_label;  ///< [code of the column] shared code; empty: values are numbers
    std::uint32_t fixed_code = 0;
  };
  std::string name;
  std::string units;
  std::vector<std::string> labels;  ///< [shared code]; empty: values are numbers
  std::vector<double> numbers;      ///< [shared code] ascending
  std::vector<Place> places;        ///< [result]

  [[nodiscard]] std::size_t size() const { return labels.empty() ? numbers.size() : labels.size(); }
  /// The shared code of a stored value of one result; absent_code where the row has no value.
  [[nodiscard]] std::uint32_t code(const Place& place, double stored) const;
};

inline constexpr std::uint32_t absent_code = 0xFFFFFFFF;

/// A result with the name that messages use.
struct NamedResult {
  std::string name;
  const DatasetReader* file = nullptr;
};

/// The axis called `name`, which is a parameter or a fixed value of every result. Throws UsageError if one lacks it, if
/// the units differ, or if it is a label in one and a number in another.
[[nodiscard]] SharedAxis shared_axis(std::string_view name, std::span<const NamedResult> results,
                                     std::span<const RowFilter> filters);

}  // namespace dfsweep
