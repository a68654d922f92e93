/// Tables as columns of an HDF5 file.
#include "engine/tables/rendering.hpp"

namespace dfsweep {

namespace {

/// Appends the numbers of a cell.
struct ToNumbers {
  std::vector<double>& numbers;
  double absent;
  std::size_t width;
  void operator()(std::monostate) const { numbers.insert(numbers.end(), width, absent); }
  void operator()(double value) const { numbers.push_back(value); }
  void operator()(std::uint64_t value) const { numbers.push_back(static_cast<double>(value)); }
  void operator()(bool value) const { numbers.push_back(value ? 1.0 : 0.0); }
  void operator()(const Interval& value) const {
    numbers.push_back(value.low);
    numbers.push_back(value.high);
  }
  void operator()(const std::string&) const { numbers.push_back(absent); }
};

TableFileColumn file_column(const DataColumn& column) {
  TableFileColumn made{column.called.name, std::vector<double>(), column.called.unit};
  if (column.kind == ColumnKind::text) {
    std::vector<std::string> texts;
    for (const DataCell& cell : column.cells)
      texts.push_back(std::holds_alternative<std::string>(cell) ? std::get<std::string>(cell) : std::string());
    made.values = std::move(texts);
    return made;
  }
  made.width = column.kind == ColumnKind::interval ? 2 : 1;
  std::vector<double> numbers;
  for (const DataCell& cell : column.cells) std::visit(ToNumbers{numbers, column.called.absent, made.width}, cell);
  made.values = std::move(numbers);
  return made;
}

}  // namespace

TableFileTable file_table(const DataTable& table) {
  TableFileTable made;
  made.path = table.path;
  made.attributes = {{"long_name", table.meaning}};
  for (const DataColumn& column : table.columns)
    if (column.use != ColumnUse::view) made.columns.push_back(file_column(column));
  return made;
}

}  // namespace dfsweep
