/// Logged rows are read with the program's own CSV reader.
#include "tests/support/dfmodel_rows.hpp"

#include <charconv>
#include <sstream>

#include "tests/support/golden_table.hpp"

namespace dfsweep::testing {

std::vector<DfmodelRow> dfmodel_rows(const std::string& reference_folder, const std::string& file) {
  const GoldenTable table(reference_folder + "/reference/dfmodel/" + file);
  std::vector<DfmodelRow> rows(table.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const std::string& column : table.columns()) rows[i][column] = table.text(i, column);
  return rows;
}

double number(const DfmodelRow& row, const std::string& column) {
  double value = 0.0;
  const std::string& cell = row.at(column);
  std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return value;
}

std::string topology_letters(const std::string& logged_name) {
  static const std::map<std::string, std::string> letters{
      {"2d_torus", "rr"}, {"3d_torus", "rrr"}, {"dragonfly", "ff"},    {"dgx_1", "rs"},
      {"dgx_2", "ss"},    {"ring 8x1", "r"},   {"2D torus 4x2", "rr"}, {"4x2 torus", "rr"}};
  return letters.at(logged_name);
}

Entry assignment_entry(const std::string& partitions) {
  Entry entry;
  entry.name = "assignment";
  std::istringstream in(partitions);
  for (double partition = 0; in >> partition;) entry.lists["assignment"].push_back(partition);
  return entry;
}

}  // namespace dfsweep::testing
