/// Measured row: one line of a table of published measurements, by column name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace dfsweep {

/// Cells as texts. An empty cell means that the number was not published.
struct MeasuredRow {
  std::map<std::string, std::string, std::less<>> cells;

  /// "" where the column is missing or the cell is empty.
  [[nodiscard]] std::string_view text(std::string_view column) const;
  /// The number in a cell; empty where the cell is empty or not a number.
  [[nodiscard]] std::optional<double> number(std::string_view column) const;
  [[nodiscard]] double number_or(std::string_view column, double otherwise) const;
  /// Whether the cell contains the words.
  [[nodiscard]] bool says(std::string_view column, std::string_view words) const;
};

/// A default that replaces an empty cell.
struct Assumption {
  std::string parameter;
  std::string value;
  std::string reason;
};

/// The first number in a text at or after position `from`; empty if not found. "21 x 100 Gb/s" gives 21.
[[nodiscard]] std::optional<double> first_number(std::string_view text, std::size_t from = 0);

/// The number that follows the words in a text: number_after("zero-1 over 8", "over ") is 8.
[[nodiscard]] std::optional<double> number_after(std::string_view text, std::string_view words);

}  // namespace dfsweep
