/// ForeignDataset: a file without a seal, parsed by a child process; if HDF5 crashes or hangs there, the program goes
/// on.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "io/column_source.hpp"
#include "io/dataset_contents.hpp"

namespace dfsweep {

/// Limits of the child process.
struct ForeignLimits {
  std::chrono::milliseconds timeout{20'000};
  /// CPU time of one answer (the contents, or a piece of a column), plus one second per 20 MB of the file: one piece
  /// may need a compressed chunk as large as the file.
  std::chrono::seconds processor_time{4};
};

struct ForeignDataset {
  DatasetContents contents;
  std::unique_ptr<ColumnSource> columns;  ///< of `contents`; owns the child process
};

/// Starts the child process and reads the contents through it. Shapes are checked against each other and against the
/// size of the file. Throws BadDataset if the file was not written by dfsweep, is malformed, or makes HDF5 crash or
/// hang.
[[nodiscard]] ForeignDataset open_foreign(const std::filesystem::path& path, const ForeignLimits& limits = {});

}  // namespace dfsweep
