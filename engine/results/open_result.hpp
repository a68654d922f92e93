/// Opening results for reading: a published file, or a run directory, of which only complete blocks are visible.
#pragma once

#include <filesystem>

#include "io/dataset_reader.hpp"

namespace dfsweep {

/// Opens FILE, or DIR/result.h5, or DIR/result.partial.h5 with the rows of complete blocks. Throws BadDataset,
/// ForeignRun, NotReady, IoError. Pre: none; what is not a result is an error that says what it is.
[[nodiscard]] DatasetReader open_result(const std::filesystem::path& file_or_directory);

}  // namespace dfsweep
