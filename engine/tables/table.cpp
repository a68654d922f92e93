#include "engine/tables/table.hpp"

#include <algorithm>

#include "models/expect.hpp"

namespace dfsweep {

ColumnName in_json(std::string path, std::string unit) {
  std::string name = path;
  std::replace(name.begin(), name.end(), '/', '_');
  return {std::move(name), std::move(unit), std::move(path)};
}

DataCell text_or_null(std::string_view text) {
  return text.empty() ? DataCell(NAN) : DataCell(std::string(text));
}

const DataColumn& DataTable::column(std::string_view name) const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [name](const DataColumn& each) { return each.called.name == name; });
  DFSWEEP_EXPECT(found != columns.end());
  return *found;
}

}  // namespace dfsweep
