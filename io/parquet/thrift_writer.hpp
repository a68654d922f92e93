/// ThriftWriter: structures in the compact protocol of Thrift, which the metadata of Parquet files use.
/// Source: [thrift-compact]
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dfsweep {

/// Appends an unsigned number in groups of seven bits, the lowest first.
void append_varint(std::vector<std::byte>& bytes, std::uint64_t number);

/// Appends a number of four bytes, the lowest first.
void append_number(std::vector<std::byte>& bytes, std::uint32_t number);

class ThriftWriter {
 public:
  /// Fields of a structure, by ascending number.
  void integer(int field, std::int32_t value);
  void long_integer(int field, std::int64_t value);
  void byte(int field, std::int8_t value);
  void boolean(int field, bool value);
  void text(int field, std::string_view value);
  void integers(int field, std::span<const std::int32_t> values);
  void texts(int field, std::span<const std::string_view> values);
  /// The fields of a nested structure follow, until end().
  void begin(int field);
  /// A list of structures: each is element(), its fields, end().
  void list(int field, std::size_t size);
  void element();
  /// Ends a nested structure, an element, or at last the whole.
  void end();
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void header(int field, int type);
  void list_header(int field, std::size_t size, int type);
  void zigzag(std::int64_t value);
  void append(std::string_view text);

  std::vector<std::byte> bytes_;
  std::vector<int> outer_;  ///< last field numbers of the enclosing structures
  int last_ = 0;
};

}  // namespace dfsweep
