#include "io/arrow/arrow_writer.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string_view>

namespace dfsweep {

namespace {

static_assert(std::endian::native == std::endian::little, "values are copied as they are in memory");

constexpr std::string_view arrow_magic = "ARROW1";
constexpr std::string_view padded_magic("ARROW1\0\0", 8);
/// Buffers begin at multiples of it, as readers that map the file prefer.
constexpr std::size_t buffer_alignment = 64;

// Numbers of the format's enumerations and unions.
constexpr std::int16_t version_5 = 4;
constexpr std::uint8_t schema_message = 1;
constexpr std::uint8_t dictionary_message = 2;
constexpr std::uint8_t batch_message = 3;
constexpr std::uint8_t int_type = 2;
constexpr std::uint8_t float_type = 3;
constexpr std::uint8_t utf8_type = 5;
constexpr std::uint8_t zstd_codec = 1;
constexpr std::uint8_t by_buffer = 0;
constexpr std::int16_t single_precision = 1;
constexpr std::int16_t double_precision = 2;

constexpr std::int64_t not_compressed = -1;  ///< in the place of the size of a buffer

std::uint64_t padded(std::uint64_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

FlatTable whole_number(std::int32_t bits, bool is_signed) {
  return {{{0, bits}, {1, is_signed}}};
}

std::vector<FlatTable> tables_of(const ArrowNotes& notes) {
  std::vector<FlatTable> tables;
  for (const auto& [key, value] : notes) tables.push_back({{{0, key}, {1, value}}});
  return tables;
}

/// The kind of a type and its table.
std::pair<std::uint8_t, FlatTable> type_table(ExportedType type) {
  switch (type) {
    case ExportedType::int32:
      return {int_type, whole_number(32, true)};
    case ExportedType::int64:
      return {int_type, whole_number(64, true)};
    case ExportedType::uint64:
      return {int_type, whole_number(64, false)};
    case ExportedType::float32:
      return {float_type, {{{0, single_precision}}}};
    case ExportedType::float64:
      return {float_type, {{{0, double_precision}}}};
    case ExportedType::label:
      return {utf8_type, {}};
  }
  return {};
}

FlatTable field_table(const ArrowColumn& column, std::int64_t dictionary) {
  auto [kind, type] = type_table(column.type);
  FlatTable field{{{0, column.name}, {1, true}, {2, kind}, {3, std::move(type)}}};
  if (column.type == ExportedType::label) {
    const auto bits = static_cast<std::int32_t>(8 * code_bytes(column));
    field.fields.emplace_back(4, FlatTable{{{0, dictionary}, {1, whole_number(bits, true)}, {2, false}}});
  }
  field.fields.emplace_back(5, std::vector<FlatTable>());
  field.fields.emplace_back(6, tables_of(column.notes));
  return field;
}

FlatTable schema_table(const std::vector<ArrowColumn>& columns, const ArrowNotes& notes) {
  std::vector<FlatTable> fields;
  for (const ArrowColumn& column : columns)
    fields.push_back(field_table(column, static_cast<std::int64_t>(fields.size())));
  return {{{0, std::int16_t{0}}, {1, std::move(fields)}, {2, tables_of(notes)}}};
}

/// Where each label ends, and all labels without gaps.
struct JoinedLabels {
  std::vector<std::int32_t> ends{0};
  std::string text;
};

JoinedLabels joined(const std::vector<std::string>& labels) {
  JoinedLabels all;
  for (const std::string& label : labels) {
    all.text += label;
    all.ends.push_back(static_cast<std::int32_t>(all.text.size()));
  }
  return all;
}

}  // namespace

std::size_t code_bytes(const ArrowColumn& column) {
  if (column.labels.size() <= std::size_t{std::numeric_limits<std::int8_t>::max()} + 1) return sizeof(std::int8_t);
  if (column.labels.size() <= std::size_t{std::numeric_limits<std::int16_t>::max()} + 1) return sizeof(std::int16_t);
  return sizeof(std::int32_t);
}

void compress_buffer(std::vector<std::byte>& buffer, std::vector<std::byte>& room) {
  if (buffer.empty()) return;
  const auto put_size = [&](std::int64_t size) {
    const auto raw = std::as_bytes(std::span(&size, 1));
    room.assign(raw.begin(), raw.end());
  };
  put_size(static_cast<std::int64_t>(buffer.size()));
  append_compressed(room, buffer);
  if (room.size() >= sizeof(std::int64_t) + buffer.size()) {
    put_size(not_compressed);
    room.insert(room.end(), buffer.begin(), buffer.end());
  }
  std::swap(buffer, room);
}

ArrowWriter::ArrowWriter(const std::vector<ArrowColumn>& columns, const ArrowNotes& notes, Compression compression,
                         Append append)
    : schema_(schema_table(columns, notes)), compression_(compression), append_(std::move(append)) {
  append_(std::as_bytes(std::span(padded_magic)));
  written_ = padded_magic.size();
  write_head(schema_message, schema_, {}, nullptr);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].type != ExportedType::label) continue;
    const JoinedLabels labels = joined(columns[c].labels);
    const std::span<const std::byte> buffers[] = {
        {}, std::as_bytes(std::span(labels.ends)), std::as_bytes(std::span(labels.text))};
    const std::uint64_t missing[] = {0};
    write_head(dictionary_message,
               {{{0, static_cast<std::int64_t>(c)}, {1, add_body(columns[c].labels.size(), missing, buffers)}}},
               buffers, &dictionaries_);
    for (const std::span<const std::byte> buffer : buffers) write_padded(buffer);
  }
}

FlatTable ArrowWriter::add_body(std::uint64_t rows, std::span<const std::uint64_t> missing,
                                std::span<const std::span<const std::byte>> buffers) const {
  FlatStructs nodes;
  for (const std::uint64_t count : missing) {
    nodes.numbers.push_back(static_cast<std::int64_t>(rows));
    nodes.numbers.push_back(static_cast<std::int64_t>(count));
  }
  FlatStructs places;
  std::uint64_t offset = 0;
  for (const std::span<const std::byte> buffer : buffers) {
    places.numbers.push_back(static_cast<std::int64_t>(offset));
    places.numbers.push_back(static_cast<std::int64_t>(buffer.size()));
    offset += padded(buffer.size());
  }
  return {{{0, static_cast<std::int64_t>(rows)}, {1, std::move(nodes)}, {2, std::move(places)}}};
}

void ArrowWriter::write_padded(std::span<const std::byte> bytes) {
  if (!bytes.empty()) append_(bytes);
  written_ += bytes.size();
  static constexpr std::array<std::byte, buffer_alignment> zeros{};
  const std::size_t gap = padded(written_) - written_;
  if (gap > 0) append_(std::span(zeros).first(gap));
  written_ += gap;
}

void ArrowWriter::write_head(std::uint8_t kind, FlatTable header, std::span<const std::span<const std::byte>> buffers,
                             FlatStructs* blocks) {
  std::uint64_t body = 0;
  for (const std::span<const std::byte> buffer : buffers) body += padded(buffer.size());
  const std::vector<std::byte> table =
      flat_buffer({{{0, version_5}, {1, kind}, {2, std::move(header)}, {3, static_cast<std::int64_t>(body)}}});
  // A mark, the size of the table with its padding, the table; the body begins at a multiple of the alignment.
  const std::uint64_t begin = written_;
  const std::uint64_t head = padded(begin + 2 * sizeof(std::int32_t) + table.size()) - begin;
  std::vector<std::byte> bytes(head);
  const std::int32_t prefix[] = {-1, static_cast<std::int32_t>(head - 2 * sizeof(std::int32_t))};
  std::memcpy(bytes.data(), prefix, sizeof prefix);
  std::memcpy(bytes.data() + sizeof prefix, table.data(), table.size());
  write_padded(bytes);
  if (blocks != nullptr)
    blocks->numbers.insert(blocks->numbers.end(), {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(head),
                                                   static_cast<std::int64_t>(body)});
}

void ArrowWriter::begin_batch(std::uint64_t rows, std::span<const ArrowValues> columns) {
  std::vector<std::uint64_t> missing;
  std::vector<std::span<const std::byte>> buffers;
  for (const ArrowValues& column : columns) {
    missing.push_back(column.missing);
    buffers.push_back(column.validity);
    buffers.push_back(column.elements);
  }
  FlatTable batch = add_body(rows, missing, buffers);
  if (compression_ == Compression::zstd) batch.fields.emplace_back(3, FlatTable{{{0, zstd_codec}, {1, by_buffer}}});
  write_head(batch_message, std::move(batch), buffers, &batches_);
}

void ArrowWriter::add_column(const ArrowValues& column) {
  write_padded(column.validity);
  write_padded(column.elements);
}

void ArrowWriter::finish() {
  const std::int32_t end_of_batches[] = {-1, 0};
  append_(std::as_bytes(std::span(end_of_batches)));
  std::vector<std::byte> footer = flat_buffer({{{0, version_5}, {1, schema_}, {2, dictionaries_}, {3, batches_}}});
  const auto size = static_cast<std::int32_t>(footer.size());
  const auto raw = std::as_bytes(std::span(&size, 1));
  footer.insert(footer.end(), raw.begin(), raw.end());
  const auto magic = std::as_bytes(std::span(arrow_magic));
  footer.insert(footer.end(), magic.begin(), magic.end());
  append_(footer);
}

}  // namespace dfsweep
