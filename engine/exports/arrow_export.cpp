#include "engine/exports/arrow_export.hpp"

#include <cstring>
#include <optional>
#include <utility>

#include "engine/exports/column_values.hpp"
#include "engine/parallel/threads.hpp"
#include "io/bitmap.hpp"

namespace dfsweep {

namespace {

std::vector<ArrowColumn> arrow_columns(const std::vector<ExportColumn>& columns) {
  std::vector<ArrowColumn> fields;
  for (const ExportColumn& one : columns) {
    ArrowNotes notes{{"units", one.column->units}, {"long_name", one.column->long_name}};
    if (const std::string better = one.column->text("better"); !better.empty()) notes.emplace_back("better", better);
    fields.push_back({one.column->name, one.type, one.labels, std::move(notes)});
  }
  return fields;
}

/// Makes codes of 32 bits narrower, in place. Pre: they fit.
template <class Code>
void narrow(std::vector<std::byte>& bytes) {
  const std::size_t count = bytes.size() / sizeof(std::int32_t);
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t wide = 0;
    std::memcpy(&wide, bytes.data() + i * sizeof wide, sizeof wide);
    const auto code = static_cast<Code>(wide);
    std::memcpy(bytes.data() + i * sizeof code, &code, sizeof code);
  }
  bytes.resize(count * sizeof(Code));
}

void narrow(std::size_t bytes_of_code, std::vector<std::byte>& bytes) {
  if (bytes_of_code == sizeof(std::int8_t)) narrow<std::int8_t>(bytes);
  if (bytes_of_code == sizeof(std::int16_t)) narrow<std::int16_t>(bytes);
}

/// A column of a batch under way.
struct BatchSlot {
  ExportPart part;
  ColumnValues values;
  std::vector<std::byte> validity;
  std::vector<std::byte> buffer;  ///< room for compression

  [[nodiscard]] ArrowValues encoded() const { return {values.bytes, validity, values.missing}; }
};

}  // namespace

std::uint64_t write_arrow(const DatasetReader& file, const std::vector<const DatasetColumn*>& names,
                          ExportGroups& groups, ExportEffort effort, ArrowWriter::Append append) {
  const std::vector<ExportColumn> columns = export_columns(file, names);
  const std::vector<ArrowColumn> fields = arrow_columns(columns);
  ArrowWriter writer(fields, {{"dfsweep", export_notes(file, columns)}}, effort.compression, std::move(append));
  std::vector<BatchSlot> slots(2 * std::size_t{effort.threads} + 2);
  // The head of a batch has the sizes of all its columns. So they are written while those of the next batch arrive.
  std::vector<BatchSlot> batch(columns.size());
  bool has_batch = false;
  ExportParts parts(groups, columns.size());
  const auto take = [&](std::size_t slot) {
    std::optional<ExportPart> part = parts.next();
    if (part) slots[slot].part = std::move(*part);
    return part.has_value();
  };
  const auto encode = [&](std::size_t slot) {
    BatchSlot& one = slots[slot];
    read_values(file, columns[one.part.column], *one.part.group, one.values);
    one.validity.clear();
    append_bits(one.validity, one.values.is_present);
    if (fields[one.part.column].type == ExportedType::label)
      narrow(code_bytes(fields[one.part.column]), one.values.bytes);
    if (effort.compression == Compression::none) return;
    compress_buffer(one.values.bytes, one.buffer);
    compress_buffer(one.validity, one.buffer);
  };
  const auto write = [&](std::size_t slot) {
    const std::size_t column = slots[slot].part.column;
    if (has_batch) writer.add_column(batch[column].encoded());
    std::swap(slots[slot], batch[column]);
    if (column + 1 < columns.size()) return;
    std::vector<ArrowValues> values;
    for (const BatchSlot& one : batch) values.push_back(one.encoded());
    writer.begin_batch(batch.front().values.rows, values);
    has_batch = true;
  };
  parallel_in_order(slots.size(), effort.threads, {take, encode, write});
  for (std::size_t c = 0; has_batch && c < columns.size(); ++c) writer.add_column(batch[c].encoded());
  writer.finish();
  return parts.rows();
}

}  // namespace dfsweep
