/// ParquetWriter: a table as a Parquet file, row group by row group. Source: [parquet]
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/parquet/column_chunk.hpp"

namespace dfsweep {

class ParquetWriter {
 public:
  using Append = std::function<void(std::span<const std::byte>)>;
  /// `append`: writes at the end of the file.
  ParquetWriter(std::vector<ParquetColumn> columns, Compression compression, Append append);
  /// The next column of the present row group; after the last column the next group begins. `plain`: the values that
  /// the chunk was encoded from; not of labels, and not with compression. Pre: the chunks of a group have equally many
  /// rows, and this compression.
  void add_chunk(const ParquetChunk& chunk, std::span<const std::byte> plain);
  /// Writes the metadata; `notes`: keys and values for the readers.
  void finish(std::span<const std::pair<std::string, std::string>> notes, std::string_view created_by);

 private:
  struct PlacedChunk {
    std::uint64_t begin = 0;
    std::uint64_t dictionary_bytes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t expanded_bytes = 0;
    std::uint64_t rows = 0;
    std::uint64_t rows_without_value = 0;
    std::optional<ValueBounds> bounds;
  };
  void write(std::span<const std::byte> bytes);

  std::vector<ParquetColumn> columns_;
  Compression compression_;
  Append append_;
  std::vector<std::vector<PlacedChunk>> row_groups_;
  std::uint64_t written_ = 0;
};

}  // namespace dfsweep
