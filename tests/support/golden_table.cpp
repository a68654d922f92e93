/// Golden tables are read with the program's own CSV reader.
#include "tests/support/golden_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "io/csv.hpp"

namespace dfsweep::testing {

GoldenTable::GoldenTable(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file);
  CsvReader reader(std::string(std::istreambuf_iterator<char>(in), {}), file);
  for (const CsvCell& cell : reader.header()) header_.emplace_back(cell.text);
  for (auto cells = reader.next(); !cells.empty(); cells = reader.next()) {
    rows_.emplace_back();
    for (const CsvCell& cell : cells) rows_.back().emplace_back(cell.text);
  }
  if (!reader.problems().empty()) throw std::runtime_error(to_string(reader.problems().front()));
}

const std::string& GoldenTable::text(std::size_t row, std::string_view column) const {
  const auto found = std::find(header_.begin(), header_.end(), column);
  if (found == header_.end()) throw std::runtime_error("no column " + std::string(column));
  return rows_.at(row)[static_cast<std::size_t>(found - header_.begin())];
}

double GoldenTable::number(std::size_t row, std::string_view column) const {
  const std::string& cell = text(row, column);
  double value = std::nan("");
  std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return value;
}

}  // namespace dfsweep::testing
