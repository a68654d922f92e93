/// ColumnSource: reads the stored bytes of columns, with or without verifying their checksums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "io/dataset_contents.hpp"

namespace dfsweep {

/// Rows [first, first + count).
struct RowRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  bool operator==(const RowRange&) const = default;
};

class ColumnSource {
 public:
  ColumnSource() = default;
  ColumnSource(const ColumnSource&) = delete;
  ColumnSource& operator=(const ColumnSource&) = delete;
  virtual ~ColumnSource() = default;
  /// Fills `bytes` with elements of a column (an index into DatasetContents::column) from `first` on, in the stored
  /// byte order. Thread-safe. Throws BadDataset, IoError.
  virtual void read(std::size_t column, std::uint64_t first, std::span<std::byte> bytes) const = 0;
};

/// Reads contiguous columns with plain file reads. `places`: offset of each column of the contents.
[[nodiscard]] std::unique_ptr<ColumnSource> contiguous_columns(std::shared_ptr<const File> file,
                                                               std::vector<ColumnPlace> places);

/// Blocks and where their expected checksums come from. Rows ascend and do not overlap. The checksums of all blocks may
/// be too many for the memory, so they are read in windows of blocks, of which the last used ones are kept.
struct BlockChecksums {
  std::vector<RowRange> blocks;
  /// Fills the checksums of blocks from `first` on: [block][column that blocks fill], row-major. One call at a time.
  /// Throws BadDataset, IoError.
  std::function<void(std::size_t first, std::span<Checksum> checksums)> read;
  std::size_t blocks_at_once = 1;  ///< of a window, at least 1
  std::size_t kept_windows = 1;    ///< at least 1
};

/// Wraps another source and verifies the checksum of a block of a column before it returns the first byte of it. `load`
/// is called once, by the first read of a column that blocks fill; it may throw. Rows outside all blocks are undefined
/// and are not verified. Pre: `contents` outlives the source.
[[nodiscard]] std::unique_ptr<ColumnSource> verified_columns(std::unique_ptr<ColumnSource> source,
                                                             const DatasetContents& contents,
                                                             const std::filesystem::path& path,
                                                             std::function<BlockChecksums()> load);

}  // namespace dfsweep
