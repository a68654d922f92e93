/// ForeignDataset: a file without a seal, parsed by a child process, which may crash or hang without
/// taking the program along.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "io/column_source.hpp"
#include "io/dataset_contents.hpp"

namespace dfsweep {

/// How long the parsing process may be silent, and how long it may compute.
struct ForeignPatience {
  std::chrono::milliseconds silence{20'000};
  /// For one answer: a description, or a piece of a column. Each 20 MB of the file add a second, for one piece may
  /// need a compressed block as large as the file.
  std::chrono::seconds processor_time{4};
};

struct ForeignDataset {
  DatasetContents contents;
  std::unique_ptr<ColumnSource> columns;  ///< of `contents`; the parsing process lives as long
};

/// Starts the process and takes the contents from it. Shapes are checked against each other and against the size of the
/// file. Throws BadDataset where the file is not ours, cannot be understood, or makes HDF5 crash or hang.
[[nodiscard]] ForeignDataset open_foreign(const std::filesystem::path& path, const ForeignPatience& patience = {});

}  // namespace dfsweep
