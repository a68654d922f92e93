/// The contents of a result file, parsed by HDF5.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "io/dataset_contents.hpp"
#include "io/hdf5/handle.hpp"

namespace dfsweep::hdf5 {

/// Reads everything but the rows. Messages name `name`. Throws BadDataset if dfsweep did not write the file.
[[nodiscard]] DatasetContents read_contents(const Handle& file, const std::filesystem::path& name);

/// The same for a verified frame in memory: HDF5 does not open the file.
[[nodiscard]] DatasetContents read_contents(const DatasetImage& frame, const std::filesystem::path& name);

/// Opens a file on disk for reading, without locks.
[[nodiscard]] Handle open_for_reading(const std::filesystem::path& path);

/// Fills `bytes` with elements of a column from `first` on, in the stored type.
void read_elements(const Handle& file, const DatasetColumn& column, std::uint64_t first, std::span<std::byte> bytes);

}  // namespace dfsweep::hdf5
