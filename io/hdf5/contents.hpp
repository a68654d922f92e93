/// The contents of a result file, parsed by HDF5.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "io/dataset_contents.hpp"
#include "io/hdf5/handle.hpp"

namespace dfsweep::hdf5 {

/// Reads everything but the rows. `name` stands in messages. Throws BadDataset where the file is not of dfsweep.
[[nodiscard]] DatasetContents read_contents(const Handle& file, const std::filesystem::path& name);

/// The same of a frame that is known to be intact: HDF5 sees its bytes and never the file.
[[nodiscard]] DatasetContents read_contents(const DatasetImage& frame, const std::filesystem::path& name);

/// Opens a file on disk for reading, without locks.
[[nodiscard]] Handle open_for_reading(const std::filesystem::path& path);

/// Fills `bytes` with elements of a column from `first` on, as they are stored.
void read_elements(const Handle& file, const DatasetColumn& column, std::uint64_t first, std::span<std::byte> bytes);

}  // namespace dfsweep::hdf5
