/// Opens results for reading: a published file, or a run directory, of which only complete blocks are visible.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// Opens FILE, or DIR/result.h5, or DIR/result.partial.h5 with the rows of complete blocks. Throws BadDataset,
/// ForeignRun, NotReady, IoError.
[[nodiscard]] DatasetReader open_result(const std::filesystem::path& file_or_directory);

/// Progress of an unfinished run in blocks.
struct BlockProgress {
  std::uint64_t done = 0;
  std::uint64_t all = 0;
};

/// Nothing if the result is published. Slices of a search count as blocks, although their rows are written at
/// publication. Pre: `file` is open_result() of the same path. Throws as open_result() does.
[[nodiscard]] std::optional<BlockProgress> block_progress(const std::filesystem::path& file_or_directory,
                                                          const DatasetReader& file);

}  // namespace dfsweep
