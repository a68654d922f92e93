#include "engine/exports/parquet_export.hpp"

#include <optional>
#include <utility>

#include "engine/console/build_info.hpp"
#include "engine/exports/column_values.hpp"
#include "engine/parallel/threads.hpp"

namespace dfsweep {

namespace {

std::vector<ParquetColumn> fields_of(const std::vector<ExportColumn>& columns) {
  std::vector<ParquetColumn> fields;
  for (const ExportColumn& one : columns) fields.push_back({one.column->name, one.type, one.labels});
  return fields;
}

/// A column of a row group under way.
struct ChunkSlot {
  ExportPart part;
  ColumnValues values;
  ParquetChunk chunk;
};

}  // namespace

std::uint64_t write_parquet(const DatasetReader& file, const std::vector<const DatasetColumn*>& names,
                            ExportGroups& groups, ExportEffort effort, ParquetWriter::Append append) {
  const std::vector<ExportColumn> columns = export_columns(file, names);
  const std::vector<ParquetColumn> fields = fields_of(columns);
  ParquetWriter writer(fields, effort.compression, std::move(append));
  std::vector<ChunkSlot> slots(2 * std::size_t{effort.threads} + 2);
  ExportParts parts(groups, columns.size());
  const auto take = [&](std::size_t slot) {
    std::optional<ExportPart> part = parts.next();
    if (part) slots[slot].part = std::move(*part);
    return part.has_value();
  };
  const auto encode = [&](std::size_t slot) {
    ChunkSlot& one = slots[slot];
    const ExportedType type = columns[one.part.column].type;
    read_values(file, columns[one.part.column], *one.part.group, one.values);
    leave_out_missing(type, one.values);
    ParquetValues values{
        .plain = one.values.bytes, .codes = {}, .rows = one.values.rows, .is_present = one.values.is_present};
    if (type == ExportedType::label) {
      values.codes = {reinterpret_cast<const std::uint32_t*>(one.values.bytes.data()),
                      one.values.bytes.size() / sizeof(std::uint32_t)};
      values.plain = {};
    }
    encode_chunk(fields[one.part.column], values, effort.compression, one.chunk);
  };
  const auto write = [&](std::size_t slot) {
    const ChunkSlot& one = slots[slot];
    const bool is_in_pages =
        columns[one.part.column].type == ExportedType::label || effort.compression != Compression::none;
    writer.add_chunk(one.chunk, is_in_pages ? std::span<const std::byte>() : std::span(one.values.bytes));
  };
  parallel_in_order(slots.size(), effort.threads, {take, encode, write});
  const std::pair<std::string, std::string> notes[] = {{"dfsweep", export_notes(file, columns)}};
  writer.finish(notes, "dfsweep version " + std::string(program_version()));
  return parts.rows();
}

}  // namespace dfsweep
