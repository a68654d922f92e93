#include "io/parquet/thrift_writer.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace dfsweep {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are in memory");

// Types of the compact protocol.
constexpr int true_type = 1;
constexpr int false_type = 2;
constexpr int byte_type = 3;
constexpr int i32_type = 5;
constexpr int i64_type = 6;
constexpr int binary_type = 8;
constexpr int list_type = 9;
constexpr int struct_type = 12;
constexpr std::size_t most_in_header = 14;  ///< sizes of lists and steps of field numbers that fit into a header byte

std::byte nibbles(std::size_t high, int low) {
  return static_cast<std::byte>(high << 4 | static_cast<std::size_t>(low));
}

}  // namespace

void append_number(std::vector<std::byte>& bytes, std::uint32_t number) {
  std::array<std::byte, sizeof number> raw{};
  std::memcpy(raw.data(), &number, sizeof number);
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

void append_varint(std::vector<std::byte>& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes.push_back(static_cast<std::byte>((number & 0x7f) | 0x80));
  bytes.push_back(static_cast<std::byte>(number));
}

void ThriftWriter::header(int field, int type) {
  const int step = field - last_;
  if (step > 0 && static_cast<std::size_t>(step) <= most_in_header + 1) {
    bytes_.push_back(nibbles(static_cast<std::size_t>(step), type));
  } else {
    bytes_.push_back(nibbles(0, type));
    zigzag(field);
  }
  last_ = field;
}

void ThriftWriter::zigzag(std::int64_t value) {
  append_varint(bytes_, (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

void ThriftWriter::append(std::string_view text) {
  append_varint(bytes_, text.size());
  const auto raw = std::as_bytes(std::span(text));
  bytes_.insert(bytes_.end(), raw.begin(), raw.end());
}

void ThriftWriter::integer(int field, std::int32_t value) {
  header(field, i32_type);
  zigzag(value);
}

void ThriftWriter::long_integer(int field, std::int64_t value) {
  header(field, i64_type);
  zigzag(value);
}

void ThriftWriter::byte(int field, std::int8_t value) {
  header(field, byte_type);
  bytes_.push_back(static_cast<std::byte>(value));
}

void ThriftWriter::boolean(int field, bool value) {
  header(field, value ? true_type : false_type);
}

void ThriftWriter::text(int field, std::string_view value) {
  header(field, binary_type);
  append(value);
}

void ThriftWriter::list_header(int field, std::size_t size, int type) {
  header(field, list_type);
  if (size <= most_in_header) return bytes_.push_back(nibbles(size, type));
  bytes_.push_back(nibbles(most_in_header + 1, type));
  append_varint(bytes_, size);
}

void ThriftWriter::integers(int field, std::span<const std::int32_t> values) {
  list_header(field, values.size(), i32_type);
  for (const std::int32_t value : values) zigzag(value);
}

void ThriftWriter::texts(int field, std::span<const std::string_view> values) {
  list_header(field, values.size(), binary_type);
  for (const std::string_view value : values) append(value);
}

void ThriftWriter::begin(int field) {
  header(field, struct_type);
  element();
}

void ThriftWriter::list(int field, std::size_t size) {
  list_header(field, size, struct_type);
}

void ThriftWriter::element() {
  outer_.push_back(last_);
  last_ = 0;
}

void ThriftWriter::end() {
  bytes_.push_back(std::byte{0});
  if (outer_.empty()) return;
  last_ = outer_.back();
  outer_.pop_back();
}

}  // namespace dfsweep
