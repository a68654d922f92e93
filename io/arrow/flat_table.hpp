/// Tables of FlatBuffers, in which Arrow describes its data: values by field number, as bytes. Source: [flatbuffers]
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dfsweep {

struct FlatTable;

/// A vector of structures of whole numbers of 64 bits (or two of 32).
struct FlatStructs {
  std::size_t words = 2;                   ///< of a structure
  std::vector<std::int64_t> numbers = {};  ///< [structure][word]
};

using FlatValue = std::variant<bool, std::uint8_t, std::int16_t, std::int32_t, std::int64_t, std::string, FlatTable,
                               std::vector<FlatTable>, FlatStructs>;

struct FlatTable {
  std::vector<std::pair<std::size_t, FlatValue>> fields;  ///< field number and value, each number once
};

/// The buffer whose root is this table. Its first byte belongs at a multiple of 8.
[[nodiscard]] std::vector<std::byte> flat_buffer(const FlatTable& root);

}  // namespace dfsweep
