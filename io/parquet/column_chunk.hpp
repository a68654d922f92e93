/// Column chunks: the values of one column in one row group of a Parquet file, as pages. Source: [parquet]
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/compression.hpp"
#include "io/exported_type.hpp"
#include "io/parquet/value_bounds.hpp"

namespace dfsweep {

struct ParquetColumn {
  std::string name;
  ExportedType type = ExportedType::float64;
  std::vector<std::string> labels;  ///< [code] of columns of labels
};

/// The values of one column in one row group.
struct ParquetValues {
  std::span<const std::byte> plain;      ///< elements of the rows that have a value, little-endian; not for labels
  std::span<const std::uint32_t> codes;  ///< the same for labels
  std::uint64_t rows = 0;
  std::span<const std::uint8_t> is_present;  ///< [row] 1: the row has a value; empty: all have one
};

/// The pages of a column in a row group, without the plain values that end them where nothing is compressed.
struct ParquetChunk {
  std::vector<std::byte> pages;
  std::uint64_t dictionary_bytes = 0;  ///< of the dictionary page, which comes first
  std::uint64_t expanded_bytes = 0;    ///< of the pages, without compression and with the plain values
  std::uint64_t rows = 0;
  std::uint64_t rows_without_value = 0;
  std::optional<ValueBounds> bounds;
};

/// Replaces `chunk`, whose memory is used again. Thread-safe. Pre: at most 2^31 bytes of values.
/// With compression, reals are split into their first bytes, their second bytes and so on, and points are differences.
void encode_chunk(const ParquetColumn& column, const ParquetValues& values, Compression compression,
                  ParquetChunk& chunk);

/// Appends codes of `width` bits in the hybrid of runs and packed groups of eight. Pre: codes < 2^width, width <= 32.
void append_hybrid(std::vector<std::byte>& bytes, std::span<const std::uint32_t> codes, int width);

/// Number of the encoding of values in the format. What is compressed is turned into what compresses well.
[[nodiscard]] std::int32_t encoding_of(ExportedType type, Compression compression);

}  // namespace dfsweep
