#include "engine/dataset/copied_layout.hpp"

#include <algorithm>
#include <utility>

#include "io/seal.hpp"

namespace dfsweep {

namespace {

/// Without what HDF5 writes for dimension scales itself.
std::vector<Attribute> own_attributes(const std::vector<Attribute>& attributes) {
  std::vector<Attribute> own;
  for (const Attribute& attribute : attributes)
    if (attribute.name != "CLASS" && attribute.name != "NAME") own.push_back(attribute);
  return own;
}

ColumnDescription copied(const DatasetColumn& column, std::vector<std::string> scales) {
  return {.path = column.name,
          .type = column.type,
          .extent = column.extent,
          .count = column.count,
          .width = column.width,
          .scales = std::move(scales),
          .attributes = own_attributes(column.attributes)};
}

void add_columns(const DatasetContents& contents, DatasetDescription& copy) {
  for (const DatasetColumn& column : contents.columns) copy.columns.push_back(copied(column, {"point"}));
  for (const DatasetColumn& column : contents.group_columns) {
    std::vector<std::string> scales = {"reported_point"};
    if (column.width > 1) scales.emplace_back("status_label");
    copy.columns.push_back(copied(column, std::move(scales)));
  }
}

/// The tables that both forms of a file have, and the names of the checksums.
void add_tables(const DatasetContents& contents, DatasetDescription& copy) {
  std::vector<std::string> halves;
  for (const ColumnDescription& column : copy.columns)
    for (const char* half : {".high", ".low"}) halves.push_back(column.path + half);
  for (const DatasetColumn& table : contents.tables) {
    if (table.name == block_table) copy.columns.push_back(copied(table, {std::string(block_table)}));
    if (table.name == checksum_table)
      copy.columns.push_back(copied(table, {std::string(block_table), std::string(checksum_names)}));
  }
  for (const auto& [path, labels] : contents.labels)
    if (path != checksum_names) copy.labels.push_back({path, labels});
  copy.labels.push_back({std::string(checksum_names), std::move(halves)});
}

}  // namespace

DatasetDescription describe_copy(const DatasetContents& contents) {
  DatasetDescription copy;
  add_columns(contents, copy);
  add_tables(contents, copy);
  for (const FixedValue& fixed : contents.fixed)
    copy.scalars.push_back(
        {"fixed/" + fixed.name, fixed.value, {{"units", fixed.units}, {"long_name", fixed.long_name}}});
  for (const auto& [name, text] : contents.texts) copy.texts.emplace_back("provenance/" + name, text);
  copy.attributes = own_attributes(contents.attributes);
  for (Attribute& attribute : copy.attributes)
    if (attribute.name == "format_version") attribute.value = std::int64_t{contiguous_format};
  return copy;
}

}  // namespace dfsweep
