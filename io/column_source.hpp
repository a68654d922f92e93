/// ColumnSource: where the stored bytes of columns come from, and whether they are compared with checksums on the way.
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
  /// Fills `bytes` with elements of a column (an index into DatasetContents::column) from `first` on, as they are
  /// stored. Thread-safe. Throws BadDataset, IoError.
  virtual void read(std::size_t column, std::uint64_t first, std::span<std::byte> bytes) const = 0;
};

/// Columns that lie in one piece each, read with plain reads. Every column of the contents has its place in `places`.
[[nodiscard]] std::unique_ptr<ColumnSource> placed_columns(std::shared_ptr<const File> file,
                                                           std::vector<ColumnPlace> places);

/// What the bytes of blocks must be: [block][column that blocks fill], row-major. Rows ascend and do not overlap.
struct BlockChecksums {
  std::vector<RowRange> blocks;
  std::vector<Checksum> checksums;
};

/// The columns of another source; a block of a column is compared with its checksum before its first byte is handed on.
/// `load` is called once, by the first read of a column that blocks fill; it may throw. Rows outside all blocks hold no
/// meaning and are not compared. The contents outlive the source.
[[nodiscard]] std::unique_ptr<ColumnSource> checked_columns(std::unique_ptr<ColumnSource> source,
                                                            const DatasetContents& contents,
                                                            const std::filesystem::path& path,
                                                            std::function<BlockChecksums()> load);

}  // namespace dfsweep
