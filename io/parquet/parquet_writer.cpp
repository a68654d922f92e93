#include "io/parquet/parquet_writer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <string_view>

#include "io/bitmap.hpp"
#include "io/parquet/thrift_writer.hpp"

namespace dfsweep {

namespace {

static_assert(std::endian::native == std::endian::little, "values are copied as they are in memory");

constexpr std::string_view magic = "PAR1";
constexpr std::size_t group_size = 8;  ///< values of a packed group

// Numbers of the format's enumerations.
constexpr std::int32_t data_page = 0;
constexpr std::int32_t dictionary_page = 2;
constexpr std::int32_t plain_encoding = 0;
constexpr std::int32_t hybrid_encoding = 3;
constexpr std::int32_t dictionary_encoding = 8;
constexpr std::int32_t optional_field = 1;
constexpr std::int32_t utf8_converted = 0;
constexpr std::int32_t uint64_converted = 14;
constexpr std::int32_t uncompressed = 0;

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

void append_number(std::vector<std::byte>& bytes, std::uint32_t number) {
  std::array<std::byte, sizeof number> raw{};
  std::memcpy(raw.data(), &number, sizeof number);
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

/// Packs groups of eight codes, the lowest bits first; the last group is filled with zeros.
void append_packed(std::vector<std::byte>& bytes, std::span<const std::uint32_t> codes, int width) {
  if (codes.empty()) return;
  const std::size_t groups = (codes.size() + group_size - 1) / group_size;
  append_varint(bytes, groups << 1 | 1);
  const auto group_bytes = static_cast<std::size_t>(width);
  const std::size_t begin = bytes.size();
  // A group of narrow codes is a word; the bytes of a word after its group are those of the next one.
  bytes.resize(begin + groups * group_bytes + sizeof(std::uint64_t));
  std::byte* out = bytes.data() + begin;
  std::array<std::uint32_t, group_size> last{};
  for (std::size_t group = 0; group < groups; ++group, out += group_bytes) {
    const std::uint32_t* code = codes.data() + group * group_size;
    if (const std::size_t left = codes.size() - group * group_size; left < group_size) {
      std::copy_n(code, left, last.begin());
      code = last.data();
    }
    if (width <= 8) {
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < group_size; ++i) word |= std::uint64_t{code[i]} << (i * group_bytes);
      std::memcpy(out, &word, sizeof word);
      continue;
    }
    std::uint64_t pending = 0;
    int bits = 0;
    std::byte* at = out;
    for (std::size_t i = 0; i < group_size; ++i) {
      pending |= std::uint64_t{code[i]} << bits;
      for (bits += width; bits >= 8; bits -= 8, pending >>= 8) *at++ = static_cast<std::byte>(pending & 0xff);
    }
  }
  bytes.resize(begin + groups * group_bytes);
}

void append_run(std::vector<std::byte>& bytes, std::size_t length, std::uint32_t code, int width) {
  append_varint(bytes, length << 1);
  for (int bits = 0; bits < width; bits += 8) bytes.push_back(static_cast<std::byte>(code >> bits & 0xff));
}

/// Appends the header of a page. `encoding`: of the values. `page_bytes`: what follows the header.
void append_header(std::vector<std::byte>& bytes, std::int32_t kind, std::uint64_t values, std::int32_t encoding,
                   std::size_t page_bytes) {
  ThriftWriter header;
  header.integer(1, kind);
  header.integer(2, static_cast<std::int32_t>(page_bytes));
  header.integer(3, static_cast<std::int32_t>(page_bytes));
  header.begin(kind == data_page ? 5 : 7);
  header.integer(1, static_cast<std::int32_t>(values));
  header.integer(2, encoding);
  if (kind == data_page) {
    header.integer(3, hybrid_encoding);
    header.integer(4, hybrid_encoding);
  }
  header.end();
  header.end();
  bytes.insert(bytes.end(), header.bytes().begin(), header.bytes().end());
}

/// Which rows have a value: the number of bytes, then levels of one bit.
void append_levels(std::vector<std::byte>& bytes, const ParquetValues& values) {
  const std::size_t begin = bytes.size();
  append_number(bytes, 0);
  if (values.is_present.empty()) {
    append_run(bytes, values.rows, 1, 1);
  } else {
    append_varint(bytes, (values.rows + group_size - 1) / group_size << 1 | 1);
    append_bits(bytes, values.is_present);
  }
  const auto size = static_cast<std::uint32_t>(bytes.size() - begin - sizeof(std::uint32_t));
  std::memcpy(bytes.data() + begin, &size, sizeof size);
}

std::vector<std::byte> words_of(const ParquetColumn& column) {
  std::vector<std::byte> words;
  for (const std::string& label : column.labels) {
    append_number(words, static_cast<std::uint32_t>(label.size()));
    const auto raw = std::as_bytes(std::span(label));
    words.insert(words.end(), raw.begin(), raw.end());
  }
  return words;
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

}  // namespace

void append_hybrid(std::vector<std::byte>& bytes, std::span<const std::uint32_t> codes, int width) {
  std::size_t packed = 0;  // codes [packed, i) wait to be packed; a whole number of groups, except at the end
  for (std::size_t i = 0; i < codes.size();) {
    std::size_t end = i + 1;
    while (end < codes.size() && codes[end] == codes[i]) ++end;
    if (end - i < group_size) {
      i = std::min(i + group_size, codes.size());
      continue;
    }
    append_packed(bytes, codes.subspan(packed, i - packed), width);
    append_run(bytes, end - i, codes[i], width);
    packed = i = end;
  }
  append_packed(bytes, codes.subspan(packed), width);
}

void encode_chunk(const ParquetColumn& column, const ParquetValues& values, ParquetChunk& chunk) {
  std::vector<std::byte>& pages = chunk.pages;
  pages.clear();
  chunk.dictionary_bytes = 0;
  chunk.rows = values.rows;
  const auto present = std::accumulate(values.is_present.begin(), values.is_present.end(), std::uint64_t{0});
  chunk.rows_without_value = values.is_present.empty() ? 0 : chunk.rows - present;
  std::vector<std::byte> body;
  append_levels(body, values);
  if (column.type != ExportedType::label) {
    append_header(pages, data_page, chunk.rows, plain_encoding, body.size() + values.plain.size());
    pages.insert(pages.end(), body.begin(), body.end());
    return;
  }
  const std::vector<std::byte> words = words_of(column);
  append_header(pages, dictionary_page, column.labels.size(), plain_encoding, words.size());
  pages.insert(pages.end(), words.begin(), words.end());
  chunk.dictionary_bytes = pages.size();
  const int width = std::max(1, static_cast<int>(std::bit_width(std::max<std::size_t>(column.labels.size(), 1) - 1)));
  body.push_back(static_cast<std::byte>(width));
  append_hybrid(body, values.codes, width);
  append_header(pages, data_page, chunk.rows, dictionary_encoding, body.size());
  pages.insert(pages.end(), body.begin(), body.end());
}

ParquetWriter::ParquetWriter(std::vector<ParquetColumn> columns, Append append)
    : columns_(std::move(columns)), append_(std::move(append)) {
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
                                .rows = chunk.rows,
                                .rows_without_value = chunk.rows_without_value});
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
      group_bytes += chunk.bytes;
      footer.element();
      footer.long_integer(2, whole(chunk.begin));
      footer.begin(3);
      footer.integer(1, physical_type(columns_[c].type));
      footer.integers(2, std::array{has_dictionary ? dictionary_encoding : plain_encoding, hybrid_encoding});
      footer.texts(3, std::array{std::string_view(columns_[c].name)});
      footer.integer(4, uncompressed);
      footer.long_integer(5, whole(chunk.rows));
      footer.long_integer(6, whole(chunk.bytes));
      footer.long_integer(7, whole(chunk.bytes));
      footer.long_integer(9, whole(chunk.begin + chunk.dictionary_bytes));
      if (has_dictionary) footer.long_integer(11, whole(chunk.begin));
      footer.begin(12);
      footer.long_integer(3, whole(chunk.rows_without_value));
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
  footer.end();
  std::vector<std::byte> tail = footer.bytes();
  const auto size = static_cast<std::uint32_t>(tail.size());
  append_number(tail, size);
  const auto raw = std::as_bytes(std::span(magic));
  tail.insert(tail.end(), raw.begin(), raw.end());
  write(tail);
}

}  // namespace dfsweep
