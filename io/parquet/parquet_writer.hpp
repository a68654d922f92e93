/// ParquetWriter: a table as a Parquet file, row group by row group, without compression. Source: [parquet]
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/exported_type.hpp"

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

/// The pages of a column in a row group, without the plain values that end them.
struct ParquetChunk {
  std::vector<std::byte> pages;
  std::uint64_t dictionary_bytes = 0;  ///< of the dictionary page, which comes first
  std::uint64_t rows = 0;
  std::uint64_t rows_without_value = 0;
};

/// Replaces `chunk`, whose memory is used again. Thread-safe. Pre: at most 2^31 bytes of values.
void encode_chunk(const ParquetColumn& column, const ParquetValues& values, ParquetChunk& chunk);

/// Appends codes of `width` bits in the hybrid of runs and packed groups of eight. Pre: codes < 2^width, width <= 32.
void append_hybrid(std::vector<std::byte>& bytes, std::span<const std::uint32_t> codes, int width);

class ParquetWriter {
 public:
  using Append = std::function<void(std::span<const std::byte>)>;
  /// `append`: writes at the end of the file.
  ParquetWriter(std::vector<ParquetColumn> columns, Append append);
  /// The next column of the present row group; after the last column the next group begins. `plain`: the values that
  /// the chunk was encoded from. Pre: the chunks of a group have equally many rows.
  void add_chunk(const ParquetChunk& chunk, std::span<const std::byte> plain);
  /// Writes the metadata; `notes`: keys and values for the readers.
  void finish(std::span<const std::pair<std::string, std::string>> notes, std::string_view created_by);

 private:
  struct PlacedChunk {
    std::uint64_t begin = 0;
    std::uint64_t dictionary_bytes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t rows = 0;
    std::uint64_t rows_without_value = 0;
  };
  void write(std::span<const std::byte> bytes);

  std::vector<ParquetColumn> columns_;
  Append append_;
  std::vector<std::vector<PlacedChunk>> row_groups_;
  std::uint64_t written_ = 0;
};

}  // namespace dfsweep
