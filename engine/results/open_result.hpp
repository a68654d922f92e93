/// Opens results for reading: a published file, or a run directory, of which only complete blocks are visible.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// Opens FILE, or DIR/result.h5, or DIR/result.partial.h5 with the rows of complete blocks. Throws BadDataset,
/// ForeignRun, NotReady, IoError.
[[nodiscard]] DatasetReader open_result(const std::filesystem::path& file_or_directory);

/// Progress of an unfinished run in blocks. Slices of a search count as blocks, although their rows are written at
/// publication.
struct BlockProgress {
  std::uint64_t done = 0;
  std::uint64_t all = 0;
};

/// A result and, unless it is published, the progress of its run when it was opened.
struct OpenedResult {
  DatasetReader file;
  std::optional<BlockProgress> progress = {};
};

/// As open_result(). The run may go on meanwhile: the rows are those of the blocks that `progress` counts.
[[nodiscard]] OpenedResult open_with_progress(const std::filesystem::path& file_or_directory);

/// "12 of 40 blocks, 30.0 % of the rows". The share is rounded down: only a finished run has all rows.
[[nodiscard]] std::string progress_text(const BlockProgress& progress, const DatasetReader& file);

}  // namespace dfsweep
