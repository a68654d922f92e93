#include "io/parquet/column_chunk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

#include "io/bitmap.hpp"
#include "io/chunk_filter.hpp"
#include "io/parquet/delta_packing.hpp"
#include "io/parquet/format_numbers.hpp"
#include "io/parquet/thrift_writer.hpp"

namespace dfsweep {

using namespace parquet;

namespace {

static_assert(std::endian::native == std::endian::little, "values are copied as they are in memory");

constexpr std::size_t group_size = 8;  ///< values of a packed group

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

struct PageHead {
  std::int32_t kind = data_page;
  std::uint64_t values = 0;
  std::int32_t encoding = plain_encoding;
  std::size_t bytes = 0;           ///< what follows the header
  std::size_t expanded_bytes = 0;  ///< the same without compression
};

void append_header(const PageHead& page, ParquetChunk& chunk) {
  ThriftWriter header;
  header.integer(1, page.kind);
  header.integer(2, static_cast<std::int32_t>(page.expanded_bytes));
  header.integer(3, static_cast<std::int32_t>(page.bytes));
  header.begin(page.kind == data_page ? 5 : 7);
  header.integer(1, static_cast<std::int32_t>(page.values));
  header.integer(2, page.encoding);
  if (page.kind == data_page) {
    header.integer(3, hybrid_encoding);
    header.integer(4, hybrid_encoding);
  }
  header.end();
  header.end();
  chunk.pages.insert(chunk.pages.end(), header.bytes().begin(), header.bytes().end());
  chunk.expanded_bytes += header.bytes().size() + page.expanded_bytes;
}

/// Appends a page whose `body` is whole.
void append_page(PageHead page, std::span<const std::byte> body, Compression compression, ParquetChunk& chunk) {
  page.expanded_bytes = page.bytes = body.size();
  if (compression == Compression::none) {
    append_header(page, chunk);
    chunk.pages.insert(chunk.pages.end(), body.begin(), body.end());
    return;
  }
  std::vector<std::byte> frame;
  append_compressed(frame, body);
  page.bytes = frame.size();
  append_header(page, chunk);
  chunk.pages.insert(chunk.pages.end(), frame.begin(), frame.end());
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

void append_values(ExportedType type, std::int32_t encoding, std::span<const std::byte> plain,
                   std::vector<std::byte>& body) {
  const std::size_t begin = body.size();
  if (encoding == split_encoding) {
    body.resize(begin + plain.size());
    shuffle(plain, type == ExportedType::float32 ? sizeof(float) : sizeof(double), std::span(body).subspan(begin));
  } else if (encoding == difference_encoding) {
    append_differences(body,
                       {reinterpret_cast<const std::uint64_t*>(plain.data()), plain.size() / sizeof(std::uint64_t)});
  } else {
    body.insert(body.end(), plain.begin(), plain.end());
  }
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

}  // namespace

std::int32_t encoding_of(ExportedType type, Compression compression) {
  if (type == ExportedType::label) return dictionary_encoding;
  if (compression == Compression::none) return plain_encoding;
  if (type == ExportedType::float64 || type == ExportedType::float32) return split_encoding;
  return type == ExportedType::uint64 ? difference_encoding : plain_encoding;
}

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

void encode_chunk(const ParquetColumn& column, const ParquetValues& values, Compression compression,
                  ParquetChunk& chunk) {
  chunk.pages.clear();
  chunk.dictionary_bytes = chunk.expanded_bytes = 0;
  chunk.rows = values.rows;
  const auto present = std::accumulate(values.is_present.begin(), values.is_present.end(), std::uint64_t{0});
  chunk.rows_without_value = values.is_present.empty() ? 0 : chunk.rows - present;
  chunk.bounds = column.type == ExportedType::label ? bounds_of_labels(column.labels, values.codes)
                                                    : bounds_of_numbers(column.type, values.plain);
  PageHead page{.values = chunk.rows, .encoding = encoding_of(column.type, compression)};
  std::vector<std::byte> body;
  append_levels(body, values);
  if (page.encoding == plain_encoding && compression == Compression::none) {
    page.expanded_bytes = page.bytes = body.size() + values.plain.size();
    append_header(page, chunk);
    chunk.pages.insert(chunk.pages.end(), body.begin(), body.end());
    return;
  }
  if (column.type == ExportedType::label) {
    const PageHead words{.kind = dictionary_page, .values = column.labels.size()};
    append_page(words, words_of(column), compression, chunk);
    chunk.dictionary_bytes = chunk.pages.size();
    const int width = std::max(1, static_cast<int>(std::bit_width(std::max<std::size_t>(column.labels.size(), 1) - 1)));
    body.push_back(static_cast<std::byte>(width));
    append_hybrid(body, values.codes, width);
  } else {
    append_values(column.type, page.encoding, values.plain, body);
  }
  append_page(page, body, compression, chunk);
}

}  // namespace dfsweep
