#include "io/parquet/parquet_writer.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "io/parquet/format_numbers.hpp"
#include "io/parquet/thrift_writer.hpp"

namespace dfsweep {

using namespace parquet;

namespace {

constexpr std::string_view magic = "PAR1";

std::int32_t physical_type(ExportedType type) {
  switch (type) {
    case ExportedType::int32:
      return 1;
    case ExportedType::int64:
    case ExportedType::uint64:
      return 2;
    case ExportedType::float32:
      return 4;
    case ExportedType::float64:
      return 5;
    case ExportedType::label:
      return 6;
  }
  return 0;
}

void add_schema(ThriftWriter& footer, std::span<const ParquetColumn> columns) {
  footer.list(2, columns.size() + 1);
  footer.element();
  footer.text(4, "schema");
  footer.integer(5, static_cast<std::int32_t>(columns.size()));
  footer.end();
  for (const ParquetColumn& column : columns) {
    footer.element();
    footer.integer(1, physical_type(column.type));
    footer.integer(3, optional_field);
    footer.text(4, column.name);
    if (column.type == ExportedType::label) {
      footer.integer(6, utf8_converted);
      footer.begin(10);
      footer.begin(1);  // STRING
      footer.end();
      footer.end();
    } else if (column.type == ExportedType::uint64) {
      footer.integer(6, uint64_converted);
      footer.begin(10);
      footer.begin(10);  // INTEGER
      footer.byte(1, 64);
      footer.boolean(2, false);
      footer.end();
      footer.end();
    }
    footer.end();
  }
}

/// Bounds of values are in the order of their types; readers ignore bounds without this.
void add_orders(ThriftWriter& footer, std::size_t columns) {
  footer.list(7, columns);
  for (std::size_t column = 0; column < columns; ++column) {
    footer.element();
    footer.begin(1);
    footer.end();
    footer.end();
  }
}

}  // namespace

ParquetWriter::ParquetWriter(std::vector<ParquetColumn> columns, Compression compression, Append append)
    : columns_(std::move(columns)), compression_(compression), append_(std::move(append)) {
  write(std::as_bytes(std::span(magic)));
}

void ParquetWriter::write(std::span<const std::byte> bytes) {
  append_(bytes);
  written_ += bytes.size();
}

void ParquetWriter::add_chunk(const ParquetChunk& chunk, std::span<const std::byte> plain) {
  if (row_groups_.empty() || row_groups_.back().size() == columns_.size()) row_groups_.emplace_back();
  row_groups_.back().push_back({.begin = written_,
                                .dictionary_bytes = chunk.dictionary_bytes,
                                .bytes = chunk.pages.size() + plain.size(),
                                .expanded_bytes = chunk.expanded_bytes,
                                .rows = chunk.rows,
                                .rows_without_value = chunk.rows_without_value,
                                .bounds = chunk.bounds});
  write(chunk.pages);
  if (!plain.empty()) write(plain);
}

void ParquetWriter::finish(std::span<const std::pair<std::string, std::string>> notes, std::string_view created_by) {
  const auto whole = [](std::uint64_t number) { return static_cast<std::int64_t>(number); };
  const auto rows_of = [](const std::vector<PlacedChunk>& group) { return group.empty() ? 0 : group.front().rows; };
  std::uint64_t rows = 0;
  for (const auto& group : row_groups_) rows += rows_of(group);
  ThriftWriter footer;
  footer.integer(1, 2);
  add_schema(footer, columns_);
  footer.long_integer(3, whole(rows));
  footer.list(4, row_groups_.size());
  for (const std::vector<PlacedChunk>& group : row_groups_) {
    footer.element();
    footer.list(1, group.size());
    std::uint64_t group_bytes = 0;
    for (std::size_t c = 0; c < group.size(); ++c) {
      const PlacedChunk& chunk = group[c];
      const bool has_dictionary = columns_[c].type == ExportedType::label;
      group_bytes += chunk.expanded_bytes;
      footer.element();
      footer.long_integer(2, whole(chunk.begin));
      footer.begin(3);
      footer.integer(1, physical_type(columns_[c].type));
      footer.integers(2, std::array{encoding_of(columns_[c].type, compression_), hybrid_encoding});
      footer.texts(3, std::array{std::string_view(columns_[c].name)});
      footer.integer(4, compression_ == Compression::zstd ? zstd_codec : no_codec);
      footer.long_integer(5, whole(chunk.rows));
      footer.long_integer(6, whole(chunk.expanded_bytes));
      footer.long_integer(7, whole(chunk.bytes));
      footer.long_integer(9, whole(chunk.begin + chunk.dictionary_bytes));
      if (has_dictionary) footer.long_integer(11, whole(chunk.begin));
      footer.begin(12);
      footer.long_integer(3, whole(chunk.rows_without_value));
      if (chunk.bounds) {
        footer.text(5, chunk.bounds->greatest);
        footer.text(6, chunk.bounds->least);
      }
      footer.end();
      footer.end();
      footer.end();
    }
    footer.long_integer(2, whole(group_bytes));
    footer.long_integer(3, whole(rows_of(group)));
    footer.end();
  }
  footer.list(5, notes.size());
  for (const auto& [key, value] : notes) {
    footer.element();
    footer.text(1, key);
    footer.text(2, value);
    footer.end();
  }
  footer.text(6, created_by);
  add_orders(footer, columns_.size());
  footer.end();
  std::vector<std::byte> tail = footer.bytes();
  const auto size = static_cast<std::uint32_t>(tail.size());
  append_number(tail, size);
  const auto raw = std::as_bytes(std::span(magic));
  tail.insert(tail.end(), raw.begin(), raw.end());
  write(tail);
}

}  // namespace dfsweep
