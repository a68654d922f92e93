/// Opening results for reading: a published file, or a run directory, of which only complete blocks are visible.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// Opens FILE, or DIR/result.h5, or DIR/result.partial.h5 with the rows of complete blocks. Throws BadDataset,
/// ForeignRun, NotReady, IoError. Pre: none; what is not a result is an error that says what it is.
[[nodiscard]] DatasetReader open_result(const std::filesystem::path& file_or_directory);

/// How far an unfinished run is, in blocks.
struct BlockProgress {
  std::uint64_t done = 0;
  std::uint64_t all = 0;
};

/// Of a reader that open_result() made from that path; nothing if the result is published. Slices of a search count as
/// blocks, although their rows exist from publication on only. Throws as open_result() does.
[[nodiscard]] std::optional<BlockProgress> block_progress(const std::filesystem::path& file_or_directory,
                                                          const DatasetReader& file);

}  // namespace dfsweep
