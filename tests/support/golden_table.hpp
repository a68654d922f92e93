/// A CSV file of golden numbers as named columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dfsweep::testing {

class GoldenTable {
 public:
  /// Throws where the file cannot be read or is malformed.
  explicit GoldenTable(const std::string& file);
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const std::vector<std::string>& columns() const { return header_; }
  /// Cell by column name; throws where there is no such column.
  [[nodiscard]] const std::string& text(std::size_t row, std::string_view column) const;
  /// NaN where the cell is empty.
  [[nodiscard]] double number(std::size_t row, std::string_view column) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace dfsweep::testing
