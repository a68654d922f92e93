/// Compressed columns: each is cut into chunks of equal numbers of elements, which are stored one after the other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "io/checksum.hpp"
#include "io/column_source.hpp"
#include "io/dataset.hpp"

namespace dfsweep {

/// A row of /provenance/chunks, in the order of its numbers.
struct ChunkPlace {
  std::uint64_t offset = 0;  ///< bytes from the start of the file
  std::uint64_t bytes = 0;   ///< stored bytes
  Checksum checksum;         ///< of the stored bytes
};
static_assert(sizeof(ChunkPlace) == 32);

/// A column that is stored in chunks. The last chunk is as long as the others; zeros follow its elements.
struct ChunkedColumn {
  std::uint64_t count = 0;          ///< elements
  std::uint64_t element_bytes = 0;  ///< bytes per element
  std::uint64_t chunk_elements = 0;
  [[nodiscard]] std::uint64_t chunks() const { return (count + chunk_elements - 1) / chunk_elements; }
  [[nodiscard]] std::uint64_t chunk_bytes() const { return chunk_elements * element_bytes; }
};

/// The compressed columns of a file, and where their chunks are: those of the first column, then those of the second.
struct ChunkedColumns {
  std::vector<ChunkedColumn> columns;
  std::vector<ChunkPlace> chunks;
};

/// Number of chunks of all columns.
[[nodiscard]] std::uint64_t chunk_count(const std::vector<ChunkedColumn>& columns);

/// Reads elements of chunks: each chunk is compared with its checksum before it is expanded. A few expanded chunks are
/// kept. Columns beyond the compressed ones are contiguous, at `tables`. Throws BadDataset for a damaged chunk.
/// Pre: the chunks are inside the file.
[[nodiscard]] std::unique_ptr<ColumnSource> compressed_columns(std::shared_ptr<const File> file, ChunkedColumns columns,
                                                               std::vector<ColumnPlace> tables,
                                                               const std::filesystem::path& path);

}  // namespace dfsweep
