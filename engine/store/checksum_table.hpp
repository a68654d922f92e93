/// ChecksumTable: the checksums of some blocks, by column, and where those of all blocks lie in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "io/checksum.hpp"
#include "io/dataset.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

/// Bytes of checksums that are in memory at once. All of them are 16 bytes for each block and column, half a gigabyte
/// for a million blocks with 30 columns; so publication and verification go through the blocks in windows.
inline constexpr std::size_t window_bytes = std::size_t{16} << 20;

/// Blocks [first, first + count).
struct BlockRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Checksums of stored blocks: [position in `blocks`][column that blocks fill], row-major.
struct ChecksumTable {
  std::size_t columns = 0;
  std::vector<std::uint32_t> blocks;  ///< ascending
  std::vector<Checksum> checksums;
  [[nodiscard]] std::span<const Checksum> of(std::size_t position) const {
    return std::span(checksums).subspan(position * columns, columns);
  }
};

/// Calls `use` with windows of the stored blocks [0, count), in order.
void for_each_window(std::uint32_t count, std::size_t columns, const std::function<void(BlockRange)>& use);

/// Reads and writes rows of the table of checksums in a file; `place`: of /provenance/checksums. Throw IoError.
[[nodiscard]] ChecksumTable read_checksums(const File& file, const ColumnPlace& place, BlockRange range);
void write_checksums(File& file, const ColumnPlace& place, const ChecksumTable& table);

}  // namespace dfsweep::store
