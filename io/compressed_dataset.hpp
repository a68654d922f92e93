/// The layout of a compressed result file: the columns that blocks fill are cut into chunks, which are shuffled and
/// deflated, as HDF5 readers know it. HDF5 neither compresses nor writes them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/compressed_columns.hpp"
#include "io/dataset.hpp"

namespace dfsweep {

/// Where the chunks begin: after the seal and the page of HDF5's superblock.
inline constexpr std::uint64_t first_chunk_offset = seal_bytes + 4096;

struct CompressedLayout {
  std::vector<std::uint64_t> chunk_elements;  ///< of the first columns of the description
  std::span<const ChunkPlace> chunks;         ///< one after the other from first_chunk_offset on; by column
  int level = 1;                              ///< of deflate, 1 to 9
};

/// The same as lay_out_dataset(). The places of compressed columns have the offset 0; a place for all chunks follows
/// them. Pre: those of the columns are the first ones, and there are as many chunks as chunk_count() says.
[[nodiscard]] DatasetImage lay_out_compressed(const DatasetDescription& description, const CompressedLayout& layout);

}  // namespace dfsweep
